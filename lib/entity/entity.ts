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
 * The place of all things of a kind, if it does not follow from its name: the partition, or the part of one, that holds them
 * under their ids and nothing else; or, where there is no such list, the key of each and the partitions that hold them.
 */
type Place<Id> =
  | { readonly partition?: Partition; readonly keyOf?: never; readonly partitions?: never }
  | { readonly keyOf: (id: Id) => Key; readonly partitions: readonly Partition[]; readonly partition?: never };

/** The definition of a kind of thing: everything that the store and the audit log need to know of it. */
type Definition<T extends object, Id extends string | number> = Place<Id> & {
  /** In words, as errors name it: "tag type". Where the kind has no place of its own, its things are stored under this. */
  readonly kind: string;
  readonly idOf: (thing: T) => Id;
  /** Returns the properties that the key of an item holds instead of its attributes. */
  readonly ofKey?: (key: Key) => Partial<T>;
  readonly codec: Codec<T>;
  /** Properties that no two of them share, each with the key of the item that leads from a value to its bearer. */
  readonly unique?: { readonly [K in keyof T]?: (value: NonNullable<T[K]>) => Key };
  /** Further values that no two of them share, each with the key of an item that leads to its bearer. */
  readonly claims?: (thing: T) => readonly Claim[];
  /** Its ids are free text instead of names. */
  readonly freeIds?: true;
  /** At most so many exist. It bounds what a list costs; writers at the same moment may pass it by a few. */
  readonly max?: number;
  /** Returns the thing to remove where `max` is reached and another one is created; undefined if all have to stay. */
  readonly replaced?: (all: readonly Versioned<T>[]) => Versioned<T> | undefined;
  /** The counter of the ids, if they are numbers. */
  readonly counter?: Id extends number ? string : never;
  /** Further writes with each creation, change and removal. */
  readonly besides?: readonly Write[];
  /** Items that stand beside it as long as it is such a thing; each says by its presence that it is. */
  readonly marks?: (thing: T) => readonly Key[];
  /** Marks that stay when it is removed. */
  readonly lastingMarks?: (thing: T) => readonly Key[];
  /** Flat properties that `touch` sets between two versions: a change rests on them, so that it sets none of them back. */
  readonly touched?: readonly (keyof T & string)[];
  /** Returns the things that it refers to, with their names in errors. */
  readonly refersTo?: (thing: T) => readonly Reference[];
  /** Others refer to it: it is removed only while nobody does. */
  readonly referable?: true;
  readonly events: {
    readonly [What in 'created' | 'updated' | 'deleted']?: EventType | ((thing: T, before: T | undefined) => EventType);
  };
  /** Returns the part that events show: no secrets. */
  readonly shown: (thing: T) => object;
  /** The project that it belongs to; null for all. */
  readonly projectOf?: (thing: T) => string | null | undefined;
  /** The projects that it is for, of which a caller has to see one; none for all. */
  readonly projectsOf?: (thing: T) => readonly string[];
  readonly environmentOf?: (thing: T) => string | undefined;
};

/** A value that no two things of a kind share, with the key of the item that only one of them can have. */
export interface Claim {
  readonly key: Key;
  readonly property: string;
  readonly value: string;
}

/** An item that leads from a unique value to its bearer. */
export interface Pointer<Id> {
  readonly id: Id;
  readonly project?: string | null;
}

/** The access to all things of a kind. */
export interface Entity<T extends object, Id extends string | number> {
  readonly kind: string;
  readonly idOf: (thing: T) => Id;
  readonly keyOf: (id: Id) => Key;
  /** The counter of the ids, if they are numbers. */
  readonly counter?: string | undefined;
  /** The most things of the kind. */
  readonly max?: number | undefined;
  /** The thing of that id, if there is one. */
  find(request: Request, id: Id): Promise<Versioned<T> | undefined>;
  /** @throws ApiError 404 where there is none of that id. */
  load(request: Request, id: Id): Promise<Versioned<T>>;
  /** Those of the ids that exist. */
  some(request: Request, ids: Iterable<Id>): Promise<Map<Id, T>>;
  /** Those of the ids that exist, with their versions. */
  someVersioned(request: Request, ids: Iterable<Id>): Promise<Map<Id, Versioned<T>>>;
  /** All of them, consistently, in the order of their keys. */
  list(request: Request): Promise<T[]>;
  /** All of them as `list` has them, with their versions. */
  listVersioned(request: Request): Promise<Versioned<T>[]>;
  /** Those among the items of a partition that it shares with other kinds. */
  among(request: Request, items: readonly Key[]): T[];
  /** As `among`, with their versions. */
  versionedAmong(request: Request, items: readonly Key[]): Versioned<T>[];
  /** Returns the bearers of the values of a unique property, by value. */
  bearers(request: Request, property: keyof T, values: Iterable<string>): Promise<Map<string, Pointer<Id>>>;
  /** Its id and its unique values. */
  claimsOf(thing: T): Claim[];
  /** @throws ApiError 409 where a thing has the name, be it its id or a unique property. */
  requireFreeName(request: Request, name: string): Promise<void>;
  /**
   * Returns the effects of creating it, and the version that it has then, which no earlier thing of its id has had.
   * @param at when it is created.
   * @param ifTaken what it means that another writer has taken its id or a unique value meanwhile: a 409, or that the
   * change reads and decides again.
   */
  created(thing: T, at: string, ifTaken?: 'refuse' | 'retry'): Effects & { readonly version: number };
  /** Returns the effects of turning it into `after`; none if it is equal already. */
  updated(before: Versioned<T>, after: T): Effects;
  /** Gives it its next version though it stays as it is, where something else changes that is read with it. */
  renewed(before: Versioned<T>): Write;
  /**
   * Returns the effects of removing it.
   * @param referrers all who refer to it, as they were read.
   */
  removed(before: Versioned<T>, referrers?: readonly Referrer[]): Effects;
  /**
   * Creates one.
   * @param make gives it its content, from the time, its id (where a counter gives these out), and all others of a kind
   * of which only so many may exist.
   * @param besides further writes, or conditions, of the same transaction.
   * @param requires throws where something is missing without which it cannot be, whatever else is wrong.
   * @throws ApiError 409 where its id or a unique value is taken; 400 for more than the store holds.
   */
  create(
    request: Request,
    actor: Actor,
    make: (at: string, id: number, others: readonly T[]) => T,
    besides?: readonly Write[],
    requires?: () => Promise<void>,
  ): Promise<Versioned<T>>;
  /**
   * Changes one; what is the same already is left alone.
   * @param load finds it, where more is asked for than that it is there.
   * @throws ApiError 404 where there is none of that id; 409 where a unique value is taken; 412 by `If-Match`.
   */
  update(
    request: Request,
    actor: Actor,
    id: Id,
    revise: (thing: T, at: string) => T,
    besides?: readonly Write[],
    load?: () => Promise<Versioned<T>>,
  ): Promise<Versioned<T>>;
  /**
   * Removes one.
   * @param load finds it, where more is asked for than that it is there.
   * @param readReferrers finds all who refer to it, where some of them may be archived.
   * @throws ApiError 404 where there is none of that id; 409 that names who refers to it; 412 by `If-Match`.
   */
  remove(
    request: Request,
    author: AuthorOf<Versioned<T>>,
    id: Id,
    load?: () => Promise<Versioned<T>>,
    readReferrers?: () => Promise<Referrer[]>,
  ): Promise<void>;
  /** Returns the things that refer to it. */
  referrers(request: Request, id: Id): Promise<Referrer[]>;
}

/**
 * The first version of what is created now. Another thing that had its id before it began at an earlier millisecond, and
 * went up by one with each change: so `If-Match` with a version of that one does not match this one. It is a safe integer
 * until 2255.
 */
function versionAt(at: string): number {
  return Date.parse(at) * 1_000 + 1;
}

/** Makes the access to all things of a kind from what defines it. */
export function entity<T extends object, Id extends string | number>(definition: Definition<T, Id>): Entity<T, Id> {
  const { kind, idOf, ofKey, codec, max, counter, referable, events, shown } = definition;
  const { partition = { pk: 'ENTITIES', prefix: `${kind.toUpperCase()}#` } } = definition;
  const { keyOf = keysIn(partition), partitions = [partition] } = definition;
  const { max: most = Number.POSITIVE_INFINITY } = definition;
  const always = definition.besides ?? [];
  const refersTo = definition.refersTo ?? (() => []);
  const passingMarksOf = definition.marks ?? (() => []);
  const marksOf = (thing: T) => [...passingMarksOf(thing), ...(definition.lastingMarks?.(thing) ?? [])];

  /** Returns the writes that turn the marks of a thing into the next ones. */
  function markWrites(old: readonly Key[], next: readonly Key[]): Write[] {
    const isIn = (list: readonly Key[]) => (key: Key) => list.some((each) => isSameKey(each, key));
    return [
      ...old.filter((key) => !isIn(next)(key)).map((key): Write => ({ remove: key })),
      ...next.filter((key) => !isIn(old)(key)).map((key): Write => ({ put: key, item: {} })),
    ];
  }

  /** Tells whether the caller may see a thing: it may belong to a hidden project, or be for hidden projects alone. */
  const isShown = (request: Request, thing: T) =>
    !isHidden(request, definition.projectOf?.(thing)) && isVisibleIn(request, definition.projectsOf?.(thing) ?? []);
  const unique = (definition.unique ?? {}) as Partial<Record<keyof T, (value: unknown) => Key>>;

  /** Tells whether anything can have this id: one that is no name, or longer than any, need not be looked up. */
  const canExist = (id: Id) => typeof id !== 'string' || definition.freeIds === true || isName(id);

  const from = (item: Key): Versioned<T> => {
    const { version, lastEventId } = item as Key & Versions;
    return {
      value: { ...codec.decode(item), ...ofKey?.(item) },
      version,
      ...(lastEventId !== undefined && { lastEventId }),
    };
  };

  const seenFrom = (request: Request, items: readonly Key[]) =>
    items.map(from).filter(({ value }) => isShown(request, value));

  function itemOf(thing: T, version: number): Attributes {
    return { ...codec.encode(thing), version };
  }

  function asRead(thing: T, version: number): Condition {
    if (definition.touched === undefined) return { version };
    const item = codec.encode(thing);
    return { version, same: Object.fromEntries(definition.touched.map((name) => [name, item[name]])) };
  }

  const whatOf = (thing: T) => `${kind} "${idOf(thing)}"`;
  /** As people call it. */
  const nameOf = (thing: T) => ('name' in thing && thing.name !== '' ? String(thing.name) : String(idOf(thing)));

  /** The items that lead to a thing, by its unique values. */
  function pointersOf(thing: T): Claim[] {
    const single = Object.entries<(value: unknown) => Key>(unique as Record<string, (value: unknown) => Key>).flatMap(
      ([property, pointerOf]) => {
        const value = thing[property as keyof T];
        return value === undefined || value === null ? [] : [{ key: pointerOf(value), property, value: String(value) }];
      },
    );
    return [...single, ...(definition.claims?.(thing) ?? [])];
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
    const given = events[what];
    if (given === undefined) return [];
    const type = typeof given === 'string' ? given : given(thing, before);
    const project = definition.projectOf?.(thing);
    const environment = definition.environmentOf?.(thing);
    return [{ type, ...(project && { project }), ...(environment && { environment }), ...data }];
  }

  const show = (thing: T) => ({ ...shown(thing) });

  const self: Entity<T, Id> = {
    kind,
    idOf,
    keyOf,
    counter,
    max,
    async find(request, id) {
      if (!canExist(id)) return undefined;
      const item = await readItem<Key>(request, keyOf(id));
      const found = item && from(item);
      return found !== undefined && isShown(request, found.value) ? found : undefined;
    },
    async load(request, id) {
      const found = await self.find(request, id);
      if (found === undefined) throw notFound(kind, id);
      return found;
    },
    async some(request, ids) {
      const found = await self.someVersioned(request, ids);
      return new Map([...found].map(([id, { value }]) => [id, value]));
    },
    async someVersioned(request, ids) {
      const found = await byId(request, [...ids].filter(canExist), keyOf, from);
      return new Map([...found].filter(([, { value }]) => isShown(request, value)));
    },
    async list(request) {
      return (await self.listVersioned(request)).map(({ value }) => value);
    },
    async listVersioned(request) {
      const items = await Promise.all(partitions.map((partition) => queryAll<Key>(request, partition)));
      return seenFrom(request, items.flat());
    },
    among: (request, items) => self.versionedAmong(request, items).map(({ value }) => value),
    versionedAmong(request, items) {
      const isOne = ({ pk, sk }: Key) =>
        partitions.some((partition) => partition.pk === pk && sk.startsWith(partition.prefix ?? ''));
      return seenFrom(request, items.filter(isOne));
    },
    async bearers(request, property, values) {
      const keyOfValue = unique[property] as (value: string) => Key;
      const found = await byId(request, values, keyOfValue, (item) => item as unknown as Pointer<Id>);
      return new Map([...found].filter(([, { project }]) => !isHidden(request, project)));
    },
    claimsOf: (thing) => [
      { key: keyOf(idOf(thing)), property: 'id', value: String(idOf(thing)) },
      ...pointersOf(thing),
    ],
    async requireFreeName(request, name) {
      const isTaken =
        'name' in unique
          ? (await self.bearers(withAllProjects(request), 'name' as keyof T, [name])).size > 0
          : (await self.find(withAllProjects(request), name as Id)) !== undefined;
      if (isTaken) throw nameTakenError(kind, 'name', name);
    },
    created(thing, at, ifTaken = 'refuse') {
      const refuse = (property: string, value: string | number) =>
        ifTaken === 'refuse' ? { otherwise: () => nameTakenError(kind, property, value) } : {};
      const [id, version] = [idOf(thing), versionAt(at)];
      return {
        version,
        writes: [
          // An id from a counter is taken only where a seed gave it away meanwhile: the next attempt takes another one.
          {
            put: keyOf(id),
            item: itemOf(thing, version),
            what: whatOf(thing),
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
          ...markWrites([], marksOf(thing)),
          ...referenceWrites([], refersTo(thing)),
          ...always,
        ],
        events: eventOf('created', thing, { data: show(thing) }),
      };
    },
    updated({ value, version }, after) {
      if (isDeepStrictEqual(codec.encode(value), codec.encode(after))) return noEffects;
      const [old, next] = [pointersOf(value), pointersOf(after)];
      const isIn = (list: typeof old) => (pointer: (typeof old)[number]) =>
        list.some(({ key }) => isSameKey(key, pointer.key));
      const movedPointer = !isDeepStrictEqual(pointerItem(value), pointerItem(after));
      return {
        writes: [
          {
            put: keyOf(idOf(after)),
            item: itemOf(after, version + 1),
            what: whatOf(after),
            when: asRead(value, version),
          },
          ...old.filter((each) => !isIn(next)(each)).map(({ key }): Write => ({ remove: key })),
          ...next.flatMap((each): Write[] => {
            const { key, property, value: name } = each;
            const item = pointerItem(after);
            if (isIn(old)(each)) return movedPointer ? [{ put: key, item }] : [];
            return [{ put: key, item, when: 'absent', otherwise: () => nameTakenError(kind, property, name) }];
          }),
          ...markWrites(marksOf(value), marksOf(after)),
          ...referenceWrites(refersTo(value), refersTo(after)),
          ...always,
        ],
        events: eventOf('updated', after, { data: show(after), preData: show(value) }, value),
      };
    },
    renewed: ({ value, version, lastEventId }) => ({
      put: keyOf(idOf(value)),
      item: { ...itemOf(value, version + 1), lastEventId },
      what: whatOf(value),
      when: asRead(value, version),
    }),
    removed({ value, version }, referrers = []) {
      return {
        writes: [
          { remove: keyOf(idOf(value)), when: { version } },
          ...pointersOf(value).map(({ key }): Write => ({ remove: key })),
          ...markWrites(passingMarksOf(value), []),
          ...referenceWrites(refersTo(value), []),
          ...(referable ? referrerChecks(kind, idOf(value), referrers) : []),
          ...always,
        ],
        events: eventOf('deleted', value, { preData: show(value) }),
      };
    },
    create(request, actor, make, besides = [], requires = async () => {}) {
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
          const gone = others.length >= most ? definition.replaced?.(others) : undefined;
          if (gone === undefined) assertRoom(others.length, most, `${kind}s`);
          const value = make(
            at,
            id,
            others.map((each) => each.value),
          );
          const { writes, events, version } = self.created(value, at);
          const further = gone === undefined ? [] : self.removed(gone).writes;
          return { writes: [...besides, ...writes, ...further], events, result: { value, version } };
        },
      });
    },
    update(request, actor, id, revise, besides = [], load = () => self.load(request, id)) {
      return change(request, actor, {
        of: [keyOf(id)],
        read: load,
        revisionOf: (before) => before,
        decide: (before, at) => {
          const value = revise(before.value, at);
          const { writes, events } = self.updated(before, value);
          if (writes.length === 0) return { writes, events, result: before };
          return { writes: [...besides, ...writes], events, result: { value, version: before.version + 1 } };
        },
      });
    },
    remove(
      request,
      author,
      id,
      load = () => self.load(request, id),
      readReferrers = () => self.referrers(withAllProjects(request), id),
    ) {
      return change(request, typeof author === 'function' ? ([before]) => author(before) : author, {
        of: [keyOf(id)],
        read: () => Promise.all([load(), referable ? readReferrers() : []]),
        revisionOf: ([before]) => before,
        decide: ([before, referrers]) => {
          const users = withoutArchived(referrers);
          if (users.length > 0) throw inUseError(request, `The ${kind} "${nameOf(before.value)}" is in use`, users);
          return { ...self.removed(before, referrers), result: undefined };
        },
      });
    },
    async referrers(request, id) {
      return (await loadReferrers(request, kind, id)).filter((referrer) => isReferrerVisible(request, referrer));
    },
  };
  return self;
}

async function byId<Id, V>(request: Request, ids: Iterable<Id>, keyOf: (id: Id) => Key, decode: (item: Key) => V) {
  const distinct = [...new Set(ids)];
  const items = await readItems<Key>(request, distinct.map(keyOf));
  return new Map(
    distinct.flatMap((id, index): [Id, V][] => {
      const item = items[index];
      return item === undefined ? [] : [[id, decode(item)]];
    }),
  );
}
