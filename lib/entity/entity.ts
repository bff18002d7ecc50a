import { notFound } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import { assertRoom } from '../limits.ts';
import { isHidden, isVisibleIn, type Request, withAllProjects } from '../request.ts';
import { type Key, keysIn } from '../store/client/definition.ts';
import * as keys from '../store/keys.ts';
import { queryAll, readItem, readItems } from '../store/read.ts';
import { raiseCounter } from '../store/transactions/transact.ts';
import type { Versioned, Versions } from '../store/transactions/versioned.ts';
import type { Write } from '../store/transactions/write.ts';
import { isName } from '../values/primitives.ts';
import { change } from './change.ts';
import type { EntityDefinition, Pointer } from './entity-definition.ts';
import { createEntityEffects, type EntityEffects } from './entity-effects.ts';
import { nameTakenError } from './names.ts';
import { inUseError, isReferrerVisible, loadReferrers, type Referrer, withoutArchived } from './references.ts';
import type { AuthorOf } from './write-loop.ts';

/** The operations on a kind of thing. */
export interface Entity<T extends object, Id extends string | number> extends EntityEffects<T> {
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
  findHolders(request: Request, property: keyof T, values: Iterable<string>): Promise<Map<string, Pointer<Id>>>;
  /** Checks that no thing has this name, as its id or as a unique property. @throws ApiError 409 if one has. */
  requireFreeName(request: Request, name: string): Promise<void>;
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

/** Creates the operations on a kind of thing. */
export function entity<T extends object, Id extends string | number>(
  definition: EntityDefinition<T, Id>,
): Entity<T, Id> {
  const { kind, idOf, ofKey, codec, max, counter, referable } = definition;
  const { partition = { pk: 'ENTITIES', prefix: `${kind.toUpperCase()}#` } } = definition;
  const { keyOf = keysIn(partition), partitions = [partition] } = definition;
  const { max: most = Number.POSITIVE_INFINITY } = definition;
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

  const nameOf = (thing: T) => ('name' in thing && thing.name !== '' ? String(thing.name) : String(idOf(thing)));

  const self: Entity<T, Id> = {
    kind,
    idOf,
    keyOf,
    counter,
    max,
    ...createEntityEffects(definition, keyOf),
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
    async findHolders(request, property, values) {
      const keyOfValue = unique[property] as (value: string) => Key;
      const pointers = await readById(request, values, keyOfValue, (item) => item as unknown as Pointer<Id>);
      return new Map([...pointers].filter(([, { project }]) => !isHidden(request, project)));
    },
    async requireFreeName(request, name) {
      const isTaken =
        'name' in unique
          ? (await self.findHolders(withAllProjects(request), 'name' as keyof T, [name])).size > 0
          : (await self.find(withAllProjects(request), name as Id)) !== undefined;
      if (isTaken) throw nameTakenError(kind, 'name', name);
    },
    create(request, actor, make, extraWrites = [], requires = async () => {}) {
      return change(request, actor, {
        items: [],
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
          const { writes, events, version } = self.buildCreationEffects(value, at);
          const removal = toReplace === undefined ? [] : self.buildRemovalEffects(toReplace).writes;
          return { writes: [...extraWrites, ...writes, ...removal], events, result: { value, version } };
        },
      });
    },
    update(request, actor, id, revise, extraWrites = [], load = () => self.load(request, id)) {
      return change(request, actor, {
        items: [keyOf(id)],
        read: load,
        revisionOf: (before) => before,
        decide: (before, at) => {
          const value = revise(before.value, at);
          const { writes, events } = self.buildUpdateEffects(before, value);
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
        items: [keyOf(id)],
        read: () => Promise.all([load(), referable ? readReferrers() : []]),
        revisionOf: ([before]) => before,
        decide: ([before, referrers]) => {
          const users = withoutArchived(referrers);
          if (users.length > 0) throw inUseError(request, `The ${kind} "${nameOf(before.value)}" is in use`, users);
          return { ...self.buildRemovalEffects(before, referrers), result: undefined };
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
