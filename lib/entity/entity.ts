import { isDeepStrictEqual } from 'node:util';
import { notFound } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import type { NewEvent } from '../events/event.ts';
import type { EventType } from '../events/event-schema.ts';
import { assertRoom } from '../limits.ts';
import { isHidden, isVisibleIn, type Request, withAllProjects } from '../request.ts';
import { type Key, keysIn, type Partition } from '../store/client/definition.ts';
import type { Attributes } from '../store/item.ts';
import * as keys from '../store/keys.ts';
import { queryAll, readItem, readItems } from '../store/read.ts';
import { raiseCounter } from '../store/transactions/transact.ts';
import type { Versioned, Versions } from '../store/transactions/versioned.ts';
import type { Condition, Write } from '../store/transactions/write.ts';
import { isName } from '../values/primitives.ts';
import { change } from './change.ts';
import type { Codec } from './codec.ts';
import { type Effects, noEffects } from './effects.ts';
import { nameTakenError } from './names.ts';
import {
  inUseError,
  isReferrerVisible,
  loadReferrers,
  type Reference,
  type Referrer,
  referenceWrites,
  referrerChecks,
  withoutArchived,
} from './references.ts';
import type { AuthorOf } from './write-loop.ts';

/**
 * The place of the items of a kind, if it is not derived from the name of the kind: the partition, or the part of one, that contains
 * only these items under their ids; or the key of each item and the partitions that contain them.
 */
type Place<Id> =
  | { readonly partition?: Partition; readonly keyOf?: never; readonly partitions?: never }
  | { readonly keyOf: (id: Id) => Key; readonly partitions: readonly Partition[]; readonly partition?: never };

/** The definition of a kind of thing for the store and the audit log. */
type Definition<T extends object, Id extends string | number> = Place<Id> & {
  /** The name in errors, such as "tag type", and the default prefix of the keys. */
  readonly kind: string;
  readonly idOf: (thing: T) => Id;
  /** Returns the properties that only the key of an item contains. */
  readonly ofKey?: (key: Key) => Partial<T>;
  readonly codec: Codec<T>;
  /** The unique properties, each with the key of the pointer for a value. */
  readonly unique?: { readonly [K in keyof T]?: (value: NonNullable<T[K]>) => Key };
  /** Returns further unique values. */
  readonly furtherUniqueValues?: (thing: T) => readonly UniqueValue[];
  /** True if ids are free text instead of names. */
  readonly freeIds?: true;
  /** The most things of the kind, which limits the cost of a list. Concurrent writers may exceed it by a few. */
  readonly max?: number;
  /** Returns the thing to remove if another one is created when `max` is reached; undefined to refuse the creation. */
  readonly toReplace?: (all: readonly Versioned<T>[]) => Versioned<T> | undefined;
  /** The name of the counter of ids, if they are numbers. */
  readonly counter?: Id extends number ? string : never;
  /** Further writes of each creation, update and removal. */
  readonly extraWrites?: readonly Write[];
  /** Returns the keys of empty items that exist as long as the thing has a property; their presence is the information. */
  readonly flagItems?: (thing: T) => readonly Key[];
  /** Returns the keys of flag items that stay after a removal. */
  readonly lastingFlagItems?: (thing: T) => readonly Key[];
  /** The flat properties that `touch` sets without a new version. They are conditions of an update, so that it reverts none. */
  readonly touchedProperties?: readonly (keyof T & string)[];
  /** Returns the references of a thing to others. */
  readonly refersTo?: (thing: T) => readonly Reference[];
  /** True if others can refer to it. It can only be removed while nobody does. */
  readonly referable?: true;
  readonly events: {
    readonly [What in 'created' | 'updated' | 'deleted']?: EventType | ((thing: T, before: T | undefined) => EventType);
  };
  /** Returns the data for events, without secrets. */
  readonly eventData: (thing: T) => object;
  /** Returns the project of a thing; null if it belongs to none. */
  readonly projectOf?: (thing: T) => string | null | undefined;
  /** Returns the projects of which a caller must see one to see the thing; empty for everybody. */
  readonly projectsOf?: (thing: T) => readonly string[];
  readonly environmentOf?: (thing: T) => string | undefined;
};

/** A unique value of a thing, with the key of the item that reserves it. */
export interface UniqueValue {
  readonly key: Key;
  readonly property: string;
  readonly value: string;
}

/** The item that points from a unique value to its thing. */
export interface Pointer<Id> {
  readonly id: Id;
  readonly project?: string | null;
}

/** The operations on a kind of thing. */
export interface Entity<T extends object, Id extends string | number> {
  readonly kind: string;
  readonly idOf: (thing: T) => Id;
  readonly keyOf: (id: Id) => Key;
  /** The name of the counter of ids, if they are numbers. */
  readonly counter?: string | undefined;
  /** The most things of the kind. */
  readonly max?: number | undefined;
  /** Reads the thing with an id; undefined if there is none. */
  find(request: Request, id: Id): Promise<Versioned<T> | undefined>;
  /** Reads the thing with an id. @throws ApiError 404 if there is none. */
  load(request: Request, id: Id): Promise<Versioned<T>>;
  /** Reads the existing things with these ids, by id. */
  findSome(request: Request, ids: Iterable<Id>): Promise<Map<Id, T>>;
  /** Reads the existing things with these ids, by id, with their versions. */
  findSomeVersioned(request: Request, ids: Iterable<Id>): Promise<Map<Id, Versioned<T>>>;
  /** Reads all things, strongly consistently, in the order of their keys. */
  list(request: Request): Promise<T[]>;
  /** Reads all things like `list`, with their versions. */
  listVersioned(request: Request): Promise<Versioned<T>[]>;
  /** Returns the things of this kind among items of a partition that also contains other kinds. */
  decodeAmong(request: Request, items: readonly Key[]): T[];
  /** Returns the same things as `decodeAmong`, with their versions. */
  decodeVersionedAmong(request: Request, items: readonly Key[]): Versioned<T>[];
  /** Reads pointers to the things with these values of a unique property, by value. */
  holders(request: Request, property: keyof T, values: Iterable<string>): Promise<Map<string, Pointer<Id>>>;
  /** Returns the id and the unique values of a thing. */
  uniqueValuesOf(thing: T): UniqueValue[];
  /** Checks that no thing has this name, as its id or as a unique property. @throws ApiError 409 if one has. */
  requireFreeName(request: Request, name: string): Promise<void>;
  /**
   * Returns the effects of a creation, and the first version, which no earlier thing with the id has had.
   * @param at the time of creation.
   * @param ifTaken what happens if another writer takes the id or a unique value first: a 409, or another decision.
   */
  creationEffects(thing: T, at: string, ifTaken?: 'refuse' | 'retry'): Effects & { readonly version: number };
  /** Returns the effects of an update; none if nothing changes. */
  updateEffects(before: Versioned<T>, after: T): Effects;
  /** Returns the write that only raises the version, because something changes that is read together with the thing. */
  renewalWrite(before: Versioned<T>): Write;
  /**
   * Returns the effects of a removal.
   * @param referrers all referrers, as they were read.
   */
  removalEffects(before: Versioned<T>, referrers?: readonly Referrer[]): Effects;
  /**
   * Creates a thing.
   * @param make returns the thing, from the time, its id if it comes from a counter, and all others if the kind has a `max`.
   * @param extraWrites further writes, or conditions, of the same transaction.
   * @param requires throws if a precondition is not met; its error comes before all others.
   * @throws ApiError 409 if the id or a unique value is taken; 400 if the maximum is reached or the item is too large.
   */
  create(
    request: Request,
    actor: Actor,
    make: (at: string, id: number, others: readonly T[]) => T,
    extraWrites?: readonly Write[],
    requires?: () => Promise<void>,
  ): Promise<Versioned<T>>;
  /**
   * Updates a thing. If nothing changes, nothing is written.
   * @param load reads the thing, with additional checks.
   * @throws ApiError 404 for an unknown id; 409 if a unique value is taken; 412 if `If-Match` does not match.
   */
  update(
    request: Request,
    actor: Actor,
    id: Id,
    revise: (thing: T, at: string) => T,
    extraWrites?: readonly Write[],
    load?: () => Promise<Versioned<T>>,
  ): Promise<Versioned<T>>;
  /**
   * Removes a thing.
   * @param load reads the thing, with additional checks.
   * @param readReferrers reads the referrers, and tells which of them are archived.
   * @throws ApiError 404 for an unknown id; 409 that names the referrers; 412 if `If-Match` does not match.
   */
  remove(
    request: Request,
    author: AuthorOf<Versioned<T>>,
    id: Id,
    load?: () => Promise<Versioned<T>>,
    readReferrers?: () => Promise<Referrer[]>,
  ): Promise<void>;
  /** Reads the visible referrers of a thing. */
  listReferrers(request: Request, id: Id): Promise<Referrer[]>;
}

/**
 * Returns the first version of a thing that is created now. An earlier thing with the same id began at an earlier millisecond, and
 * rose by one per change, so its versions do not match those of the new thing in `If-Match`. Versions are safe integers until 2255.
 */
function versionAt(at: string): number {
  return Date.parse(at) * 1_000 + 1;
}

/** Creates the operations on a kind of thing. */
export function entity<T extends object, Id extends string | number>(definition: Definition<T, Id>): Entity<T, Id> {
  const { kind, idOf, ofKey, codec, max, counter, referable, events, eventData } = definition;
  const { partition = { pk: 'ENTITIES', prefix: `${kind.toUpperCase()}#` } } = definition;
  const { keyOf = keysIn(partition), partitions = [partition] } = definition;
  const { max: most = Number.POSITIVE_INFINITY } = definition;
  const extraWrites = definition.extraWrites ?? [];
  const refersTo = definition.refersTo ?? (() => []);
  const removableFlagsOf = definition.flagItems ?? (() => []);
  const flagsOf = (thing: T) => [...removableFlagsOf(thing), ...(definition.lastingFlagItems?.(thing) ?? [])];

  /** Returns the writes that replace the flag items of a thing. */
  function flagWrites(old: readonly Key[], next: readonly Key[]): Write[] {
    const isIn = (list: readonly Key[]) => (key: Key) => list.some((other) => isSameKey(other, key));
    return [
      ...old.filter((key) => !isIn(next)(key)).map((key): Write => ({ remove: key })),
      ...next.filter((key) => !isIn(old)(key)).map((key): Write => ({ put: key, item: {} })),
    ];
  }

  /** Tells whether the caller may see a thing, which may belong to hidden projects. */
  const isVisible = (request: Request, thing: T) =>
    !isHidden(request, definition.projectOf?.(thing)) && isVisibleIn(request, definition.projectsOf?.(thing) ?? []);
  const unique = (definition.unique ?? {}) as Partial<Record<keyof T, (value: unknown) => Key>>;

  /** Tells whether an id is valid. A thing with an invalid id need not be read. */
  const canExist = (id: Id) => typeof id !== 'string' || definition.freeIds === true || isName(id);

  const decode = (item: Key): Versioned<T> => {
    const { version, lastEventId } = item as Key & Versions;
    return {
      value: { ...codec.decode(item), ...ofKey?.(item) },
      version,
      ...(lastEventId !== undefined && { lastEventId }),
    };
  };

  const decodeVisible = (request: Request, items: readonly Key[]) =>
    items.map(decode).filter(({ value }) => isVisible(request, value));

  function itemOf(thing: T, version: number): Attributes {
    return { ...codec.encode(thing), version };
  }

  /** Returns the condition that an item is unchanged since it was read. */
  function sameAs(thing: T, version: number): Condition {
    if (definition.touchedProperties === undefined) return { version };
    const item = codec.encode(thing);
    return { version, same: Object.fromEntries(definition.touchedProperties.map((name) => [name, item[name]])) };
  }

  const describe = (thing: T) => `${kind} "${idOf(thing)}"`;
  const nameOf = (thing: T) => ('name' in thing && thing.name !== '' ? String(thing.name) : String(idOf(thing)));

  /** Returns the pointers to a thing, by its unique values. */
  function pointersOf(thing: T): UniqueValue[] {
    const single = Object.entries<(value: unknown) => Key>(unique as Record<string, (value: unknown) => Key>).flatMap(
      ([property, pointerOf]) => {
        const value = thing[property as keyof T];
        return value === undefined || value === null ? [] : [{ key: pointerOf(value), property, value: String(value) }];
      },
    );
    return [...single, ...(definition.furtherUniqueValues?.(thing) ?? [])];
  }

  function pointerItem(thing: T): Attributes {
    const project = definition.projectOf?.(thing);
    return { id: idOf(thing), ...(project !== undefined && { project }) };
  }

  const isSameKey = (a: Key, b: Key) => a.pk === b.pk && a.sk === b.sk;

  function eventOf(
    what: keyof typeof events,
    thing: T,
    data: Pick<NewEvent, 'data' | 'preData'>,
    before?: T,
  ): NewEvent[] {
    const typeOf = events[what];
    if (typeOf === undefined) return [];
    const type = typeof typeOf === 'string' ? typeOf : typeOf(thing, before);
    const project = definition.projectOf?.(thing);
    const environment = definition.environmentOf?.(thing);
    return [{ type, ...(project && { project }), ...(environment && { environment }), ...data }];
  }

  const dataOf = (thing: T) => ({ ...eventData(thing) });

  const self: Entity<T, Id> = {
    kind,
    idOf,
    keyOf,
    counter,
    max,
    async find(request, id) {
      if (!canExist(id)) return undefined;
      const item = await readItem<Key>(request, keyOf(id));
      const thing = item && decode(item);
      return thing !== undefined && isVisible(request, thing.value) ? thing : undefined;
    },
    async load(request, id) {
      const thing = await self.find(request, id);
      if (thing === undefined) throw notFound(kind, id);
      return thing;
    },
    async findSome(request, ids) {
      const things = await self.findSomeVersioned(request, ids);
      return new Map([...things].map(([id, { value }]) => [id, value]));
    },
    async findSomeVersioned(request, ids) {
      const things = await readById(request, [...ids].filter(canExist), keyOf, decode);
      return new Map([...things].filter(([, { value }]) => isVisible(request, value)));
    },
    async list(request) {
      return (await self.listVersioned(request)).map(({ value }) => value);
    },
    async listVersioned(request) {
      const items = await Promise.all(partitions.map((partition) => queryAll<Key>(request, partition)));
      return decodeVisible(request, items.flat());
    },
    decodeAmong: (request, items) => self.decodeVersionedAmong(request, items).map(({ value }) => value),
    decodeVersionedAmong(request, items) {
      const isOfKind = ({ pk, sk }: Key) =>
        partitions.some((partition) => partition.pk === pk && sk.startsWith(partition.prefix ?? ''));
      return decodeVisible(request, items.filter(isOfKind));
    },
    async holders(request, property, values) {
      const keyOfValue = unique[property] as (value: string) => Key;
      const pointers = await readById(request, values, keyOfValue, (item) => item as unknown as Pointer<Id>);
      return new Map([...pointers].filter(([, { project }]) => !isHidden(request, project)));
    },
    uniqueValuesOf: (thing) => [
      { key: keyOf(idOf(thing)), property: 'id', value: String(idOf(thing)) },
      ...pointersOf(thing),
    ],
    async requireFreeName(request, name) {
      const isTaken =
        'name' in unique
          ? (await self.holders(withAllProjects(request), 'name' as keyof T, [name])).size > 0
          : (await self.find(withAllProjects(request), name as Id)) !== undefined;
      if (isTaken) throw nameTakenError(kind, 'name', name);
    },
    creationEffects(thing, at, ifTaken = 'refuse') {
      const refuse = (property: string, value: string | number) =>
        ifTaken === 'refuse' ? { otherwise: () => nameTakenError(kind, property, value) } : {};
      const [id, version] = [idOf(thing), versionAt(at)];
      return {
        version,
        writes: [
          // An id from a counter is only taken if a seed has used it meanwhile; the next attempt takes another id.
          {
            put: keyOf(id),
            item: itemOf(thing, version),
            what: describe(thing),
            when: 'absent',
            ...(counter ? {} : refuse('id', id)),
          },
          ...pointersOf(thing).map(
            ({ key, property, value }): Write => ({
              put: key,
              item: pointerItem(thing),
              when: 'absent',
              ...refuse(property, value),
            }),
          ),
          ...flagWrites([], flagsOf(thing)),
          ...referenceWrites([], refersTo(thing)),
          ...extraWrites,
        ],
        events: eventOf('created', thing, { data: dataOf(thing) }),
      };
    },
    updateEffects({ value, version }, after) {
      if (isDeepStrictEqual(codec.encode(value), codec.encode(after))) return noEffects;
      const [old, next] = [pointersOf(value), pointersOf(after)];
      const isIn = (list: typeof old) => (pointer: (typeof old)[number]) =>
        list.some(({ key }) => isSameKey(key, pointer.key));
      const isPointerChanged = !isDeepStrictEqual(pointerItem(value), pointerItem(after));
      return {
        writes: [
          {
            put: keyOf(idOf(after)),
            item: itemOf(after, version + 1),
            what: describe(after),
            when: sameAs(value, version),
          },
          ...old.filter((pointer) => !isIn(next)(pointer)).map(({ key }): Write => ({ remove: key })),
          ...next.flatMap((pointer): Write[] => {
            const { key, property, value: name } = pointer;
            const item = pointerItem(after);
            if (isIn(old)(pointer)) return isPointerChanged ? [{ put: key, item }] : [];
            return [{ put: key, item, when: 'absent', otherwise: () => nameTakenError(kind, property, name) }];
          }),
          ...flagWrites(flagsOf(value), flagsOf(after)),
          ...referenceWrites(refersTo(value), refersTo(after)),
          ...extraWrites,
        ],
        events: eventOf('updated', after, { data: dataOf(after), preData: dataOf(value) }, value),
      };
    },
    renewalWrite: ({ value, version, lastEventId }) => ({
      put: keyOf(idOf(value)),
      item: { ...itemOf(value, version + 1), lastEventId },
      what: describe(value),
      when: sameAs(value, version),
    }),
    removalEffects({ value, version }, referrers = []) {
      return {
        writes: [
          { remove: keyOf(idOf(value)), when: { version } },
          ...pointersOf(value).map(({ key }): Write => ({ remove: key })),
          ...flagWrites(removableFlagsOf(value), []),
          ...referenceWrites(refersTo(value), []),
          ...(referable ? referrerChecks(kind, idOf(value), referrers) : []),
          ...extraWrites,
        ],
        events: eventOf('deleted', value, { preData: dataOf(value) }),
      };
    },
    create(request, actor, make, extraWrites = [], requires = async () => {}) {
      return change(request, actor, {
        of: [],
        read: () =>
          Promise.all([
            counter === undefined ? 0 : raiseCounter(request, keys.counter(counter), 1),
            max === undefined ? [] : self.listVersioned(withAllProjects(request)),
            requires(),
          ]),
        revisionOf: () => undefined,
        decide: ([id, others], at) => {
          const toReplace = others.length >= most ? definition.toReplace?.(others) : undefined;
          if (toReplace === undefined) assertRoom(others.length, most, `${kind}s`);
          const value = make(
            at,
            id,
            others.map((other) => other.value),
          );
          const { writes, events, version } = self.creationEffects(value, at);
          const removal = toReplace === undefined ? [] : self.removalEffects(toReplace).writes;
          return { writes: [...extraWrites, ...writes, ...removal], events, result: { value, version } };
        },
      });
    },
    update(request, actor, id, revise, extraWrites = [], load = () => self.load(request, id)) {
      return change(request, actor, {
        of: [keyOf(id)],
        read: load,
        revisionOf: (before) => before,
        decide: (before, at) => {
          const value = revise(before.value, at);
          const { writes, events } = self.updateEffects(before, value);
          if (writes.length === 0) return { writes, events, result: before };
          return { writes: [...extraWrites, ...writes], events, result: { value, version: before.version + 1 } };
        },
      });
    },
    remove(
      request,
      author,
      id,
      load = () => self.load(request, id),
      readReferrers = () => self.listReferrers(withAllProjects(request), id),
    ) {
      return change(request, typeof author === 'function' ? ([before]) => author(before) : author, {
        of: [keyOf(id)],
        read: () => Promise.all([load(), referable ? readReferrers() : []]),
        revisionOf: ([before]) => before,
        decide: ([before, referrers]) => {
          const users = withoutArchived(referrers);
          if (users.length > 0) throw inUseError(request, `The ${kind} "${nameOf(before.value)}" is in use`, users);
          return { ...self.removalEffects(before, referrers), result: undefined };
        },
      });
    },
    async listReferrers(request, id) {
      return (await loadReferrers(request, kind, id)).filter((referrer) => isReferrerVisible(request, referrer));
    },
  };
  return self;
}

async function readById<Id, V>(request: Request, ids: Iterable<Id>, keyOf: (id: Id) => Key, decode: (item: Key) => V) {
  const distinct = [...new Set(ids)];
  const items = await readItems<Key>(request, distinct.map(keyOf));
  return new Map(
    distinct.flatMap((id, index): [Id, V][] => {
      const item = items[index];
      return item === undefined ? [] : [[id, decode(item)]];
    }),
  );
}
