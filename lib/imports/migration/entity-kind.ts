import * as v from 'valibot';
import { type Entity, nameTaken } from '../../entity/entity.ts';
import type { FlagRequest } from '../../entity/step.ts';
import { ApiError, requireValid, truncate } from '../../errors.ts';
import { describeLimit } from '../../limits.ts';
import type { Request } from '../../request.ts';
import type { Key } from '../../store/client/definition.ts';
import * as keys from '../../store/keys.ts';
import { queryAll } from '../../store/read.ts';
import { readCounter } from '../../store/transactions/counter.ts';
import type { Versioned } from '../../store/transactions/versioned.ts';
import type { Write } from '../../store/transactions/write.ts';
import type { JsonObject } from '../../values/json.ts';
import * as importKeys from '../keys.ts';
import {
  type KindDecision,
  type MigrationStep,
  nameUnder,
  type Remark,
  refusalWords,
  type ServerKind,
  type ServerMigration,
  stepBy,
} from './plan.ts';
import type { ListName, SourceContent } from './source.ts';

/** Context in which a thing is made. */
interface Making<T> {
  readonly at: string;
  /** The id that it has, or is to have, where ids are numbers. */
  readonly id: number;
  /** As it is here; undefined where it is not. */
  readonly before: T | undefined;
  /** False for one that was here before any migration. */
  readonly isTheirs: boolean;
  readonly migration: ServerMigration;
}

/** Things of the store that a kind is decided on. */
type StoredThings<T> = ReadonlyMap<string | number, Versioned<T>>;

/** Access to all things of a kind, whatever their ids are. */
type Access<T extends object> = Pick<
  Entity<T, never>,
  'kind' | 'counter' | 'max' | 'listVersioned' | 'claimsOf' | 'created' | 'updated'
> & { readonly idOf: (thing: T) => string | number };

/** A kind of thing that is an entity here: all that it takes to see that one is missing or other, and to write it. */
export interface EntityKind<Entry, T extends object> {
  readonly title: string;
  readonly entity: Access<T>;
  readonly from: (source: SourceContent) => readonly JsonObject[];
  readonly schema: v.GenericSchema<unknown, Entry>;
  /** Returns the name by which people know an entry, or a thing of the server that is no valid one; its `name` by default. */
  readonly nameOf?: (thing: JsonObject) => string;
  /** Finds the thing that an entry describes among those that are here. */
  readonly find: (entry: Entry, all: StoredThings<T>, migration: ServerMigration) => Versioned<T> | undefined;
  /** Lists all, where each is in a partition of its own. */
  readonly list?: (request: Request) => Promise<Versioned<T>[]>;
  /** Another kind of thing that shares its ids and its unique values with these. */
  readonly rivals?: Pick<Access<T>, 'kind' | 'idOf' | 'listVersioned' | 'claimsOf'>;
  /** ServerKind under which others of the server name it by number. */
  readonly numbered?: 'segment' | 'role' | 'account' | 'group';
  /** The highest id that only others have; the counter goes on from it. */
  readonly reservedIds?: number;
  /** @throws ApiError 400 for a thing that cannot be here. */
  readonly make: (entry: Entry, making: Making<T>) => T | Promise<T>;
  readonly updated?: (before: Versioned<T>, after: T) => Pick<MigrationStep, 'writes' | 'events'>;
  /** Prepares the write, and returns further ones. */
  readonly besides?: (request: Request, thing: T, before: T | undefined) => Promise<readonly Write[]>;
  readonly remarkOf?: (entry: Entry, before: T | undefined, after: T) => string | undefined;
  readonly after?: ServerKind['after'];
  /** The list that says which there are, and the deletion of one; a kind without it keeps what is gone there. */
  readonly gone?: { readonly list: ListName; remove?(request: FlagRequest, id: never): Promise<unknown> };
}

/** Makes a kind of what defines it. */
export function entityKind<TSchema extends v.GenericSchema, T extends object>(
  definition: { readonly schema: TSchema } & EntityKind<v.InferOutput<TSchema>, T>,
): ServerKind {
  const { title, after, gone } = definition;
  return {
    title,
    decisions: (migration) => [() => decide(definition, migration)],
    ...(after && { after }),
    ...(gone && { gone: (migration) => decideGone(definition, gone, migration) }),
  };
}

async function decide<Entry, T extends object>(kind: EntityKind<Entry, T>, migration: ServerMigration) {
  const { request, source, world, from } = migration;
  const { entity, schema, nameOf = nameUnder('name') } = kind;
  const { rivals, reservedIds = 0 } = kind;
  const lastId = reservedIds + (entity.counter === undefined ? 0 : await readCounter(request, entity.counter));
  const byId = (things: readonly Versioned<T>[], { idOf }: Pick<Access<T>, 'idOf'>) =>
    things.map((each) => [idOf(each.value), each] as const);
  const [stored, storedRivals] = await Promise.all([
    (kind.list ?? entity.listVersioned)(request),
    rivals?.listVersioned(request) ?? [],
  ]);
  const all = new Map(byId(stored, entity));
  const arrivals = await loadArrivals(request, from, entity.kind);
  const others = rivals === undefined ? new Map() : world.withPlanned(rivals.kind, byId(storedRivals, rivals));
  const claims = [
    ...stored.flatMap(({ value }) => entity.claimsOf(value)),
    ...[...others.values()].flatMap(({ value }) => rivals?.claimsOf(value) ?? []),
  ];
  const taken = new Set(claims.map(({ key }) => JSON.stringify(key)));
  const things = kind.from(source);
  const inUse = [...all.keys(), ...others.keys()].filter((id) => typeof id === 'number');
  let nextId = Math.max(lastId, 0, ...inUse, ...things.map(numberOf).filter((id) => id < idMax)) + 1;
  let counted = lastId;
  const at = new Date().toISOString();
  const steps: MigrationStep[] = [];
  const [left, refused, remarks]: [string[], Remark[], Remark[]] = [[], [], []];

  for (const thing of things) {
    const name = truncate(nameOf(thing));
    try {
      const entry: Entry = requireValid(schema, thing);
      const before = kind.find(entry, all, migration);
      const given = numberOf(thing);
      const isFree = given > reservedIds && given < idMax && !all.has(given) && !others.has(given);
      const id = before === undefined ? (isFree ? given : nextId) : Number(entity.idOf(before.value));
      const isTheirs = before === undefined || arrivals.has(id);
      const value = await kind.make(entry, { at, id, before: before?.value, isTheirs, migration });
      const remark = kind.remarkOf?.(entry, before?.value, value);
      if (before === undefined && all.size >= (entity.max ?? Number.POSITIVE_INFINITY)) {
        throw new ApiError('ValidationError', describeLimit(entity.max ?? 0, `${entity.kind}s`));
      }
      const own = new Set(
        before === undefined ? [] : entity.claimsOf(before.value).map(({ key }) => JSON.stringify(key)),
      );
      const clash = entity.claimsOf(value).find(({ key }) => {
        const text = JSON.stringify(key);
        return taken.has(text) && !own.has(text);
      });
      if (clash !== undefined) throw nameTaken(entity.kind, clash.property, clash.value);
      const { writes, events, version } =
        before === undefined
          ? entity.created(value, at, 'retry')
          : { ...(kind.updated ?? entity.updated)(before, value), version: before.version + 1 };
      const next = writes.length === 0 && before !== undefined ? before : { value, version };
      all.set(entity.idOf(value), next);
      world.plan(entity.kind, entity.idOf(value), next);
      if (kind.numbered !== undefined && given > 0) world.learn(kind.numbered, given, Number(entity.idOf(value)));
      for (const { key } of entity.claimsOf(value)) taken.add(JSON.stringify(key));
      if (remark !== undefined) remarks.push({ name, reason: remark });
      if (next === before) {
        left.push(name);
        continue;
      }
      if (before === undefined && !isFree) nextId += 1;
      const raise = before === undefined && entity.counter !== undefined ? Math.max(0, id - counted) : 0;
      counted += raise;
      const counter: Write[] =
        raise === 0 || entity.counter === undefined
          ? []
          : [{ add: keys.counter(entity.counter), amounts: { value: raise } }];
      const came = before === undefined || arrivals.isAsItCame(id, before);
      const arrival = kind.gone !== undefined && came ? [arrivals.noted(entity.idOf(value), version)] : [];
      steps.push({
        name,
        outcome: before === undefined ? 'created' : 'changed',
        writes: [...writes, ...counter, ...arrival],
        events,
        ...(kind.besides && {
          besides: (ours: Request) => (kind.besides as NonNullable<typeof kind.besides>)(ours, value, before?.value),
        }),
      });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      refused.push({ name, reason: refusalWords(error) });
    }
  }
  return { steps, left, refused, remarks };
}

/** Decides about things that came from a server which has them no more: what was changed here since stays. */
async function decideGone<Entry, T extends object>(
  { entity, list, from: thingsOf, schema, find }: EntityKind<Entry, T>,
  gone: NonNullable<EntityKind<Entry, T>['gone']>,
  migration: ServerMigration,
): Promise<KindDecision> {
  const { request, source, from, isPruning } = migration;
  const there = thingsOf(source).map((thing) => v.safeParse(schema, thing));
  // Of what it does not show whole, nothing is known to be gone.
  if (!source.whole.has(gone.list) || !there.every(({ success }) => success)) return { steps: [] };
  const arrivals = await loadArrivals(request, from, entity.kind);
  const all = new Map((await (list ?? entity.listVersioned)(request)).map((each) => [entity.idOf(each.value), each]));
  const kept = new Set(there.map(({ output }) => find(output as Entry, all, migration)));
  const [steps, remarks]: [MigrationStep[], Remark[]] = [[], []];
  for (const [id, thing] of all) {
    if (kept.has(thing) || !arrivals.has(id)) continue;
    const { version, value } = thing;
    const name = `${entity.kind} ${nameUnder('username', 'email', 'name', 'description', 'message')({ id, ...value })}`;
    const { remove } = gone;
    if (remove === undefined) remarks.push({ name, reason: 'it stays until you delete it' });
    else if (!arrivals.isAsItCame(id, thing))
      remarks.push({ name, reason: 'it stays: since it came it was changed here, or is a member of something' });
    else if (!isPruning) remarks.push({ name, reason: 'it stays until you delete it, or --prune does' });
    else {
      const run = (ours: FlagRequest) => remove({ ...ours, expectedVersions: new Set([version]) }, id as never);
      steps.push(stepBy(run, name));
    }
  }
  return { steps, remarks };
}

/** Ids that a server gives leave room for the many that are counted on from them. */
const idMax = 2_147_483_647;

function numberOf({ id }: JsonObject): number {
  return Number.isSafeInteger(id) ? Number(id) : 0;
}

type Id = string | number;

/** The things of a kind that came from a server, by the versions that they had when a migration last wrote them. */
interface Arrivals {
  has(id: Id): boolean;
  /** True for one that has not been changed here since it came. */
  isAsItCame(id: Id, thing: Versioned<unknown>): boolean;
  /** Returns the write that goes with a thing that a migration writes. */
  noted(id: Id, version: number): Write;
}

/** An item that says which version came. */
interface Arrival {
  readonly version: number;
}

async function loadArrivals(request: Request, from: string, kind: string): Promise<Arrivals> {
  const items = await queryAll<Key & Arrival>(request, importKeys.arrivals(from, kind));
  const versions = new Map(items.map(({ sk, version }) => [sk, version]));
  const versionOf = (id: Id) => versions.get(importKeys.migratedThing(from, kind, id).sk);
  return {
    has: (id) => versionOf(id) !== undefined,
    isAsItCame: (id, { version }) => versionOf(id) === version,
    noted: (id, version) => ({ put: importKeys.migratedThing(from, kind, id), item: { version } }),
  };
}
