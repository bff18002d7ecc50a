import * as v from 'valibot';
import type { FlagRequest } from '../../entity/effects.ts';
import type { Entity } from '../../entity/entity.ts';
import { nameTakenError } from '../../entity/names.ts';
import { ApiError, requireValid, truncate } from '../../errors.ts';
import { systemUser } from '../../events/actor.ts';
import { describeLimit } from '../../limits.ts';
import type { Request } from '../../request.ts';
import type { Key } from '../../store/client/definition.ts';
import * as keys from '../../store/keys.ts';
import { queryAll, readCounter } from '../../store/read.ts';
import type { Versioned } from '../../store/transactions/versioned.ts';
import type { Write } from '../../store/transactions/write.ts';
import type { JsonObject } from '../../values/json.ts';
import * as importKeys from '../keys.ts';
import {
  buildRunStep,
  Decisions,
  type KindDecision,
  type MigrationStep,
  type ServerKind,
  type ServerMigration,
} from './plan.ts';
import { readName, withoutNulls } from './server-values.ts';
import type { ListName, SourceContent } from './source.ts';

/** Context in which a thing is made. */
interface Making<T> {
  readonly at: string;
  /** The id here, if the entity counts its ids. */
  readonly id: number;
  /** The thing as it is stored here; undefined for a new one. */
  readonly before: T | undefined;
  /** True for a new thing, and for one that an earlier migration imported. */
  readonly isImported: boolean;
  readonly migration: ServerMigration;
}

type ThingsById<T> = ReadonlyMap<string | number, Versioned<T>>;

/** The access to all things of a kind, with any type of ids. */
type Access<T extends object> = Pick<
  Entity<T, never>,
  | 'kind'
  | 'counter'
  | 'max'
  | 'listVersioned'
  | 'uniqueValuesOf'
  | 'buildCreationEffects'
  | 'buildUpdateEffects'
  | 'remove'
> & { idOf(thing: T): string | number };

/**
 * A kind of thing that is an entity here. The entity knows its name, ids, limit, unique values and removal; a kind declares
 * what else a migration needs.
 */
interface EntityKind<Entry, T extends object> {
  readonly entity: Access<T>;
  /** The list of the server that has these things. */
  readonly list: ListName;
  /** The schema of a thing of the server, without its nulls. */
  readonly schema: v.GenericSchema<unknown, Entry>;
  /** @throws ApiError 400 for a thing that cannot be imported. */
  readonly make: (entry: Entry, making: Making<T>) => T | Promise<T>;
  /** The name of the kind in a plan; by default the plural of the entity's kind. */
  readonly title?: string;
  /** Returns the things to import; by default all of the list. */
  readonly from?: (source: SourceContent) => readonly JsonObject[];
  /** Returns the name of a thing in a plan, which may be an invalid one; by default its `name`. */
  readonly nameOf?: (thing: JsonObject) => string;
  /** Finds the stored thing that an entry describes; by default the one with the same name. */
  readonly find?: (entry: Entry, stored: ThingsById<T>) => Versioned<T> | undefined;
  /** Another kind that shares its ids and its unique values with this one. */
  readonly rivals?: Pick<Access<object>, 'kind' | 'idOf' | 'listVersioned' | 'uniqueValuesOf'>;
  /** The highest id of built-in things; the counter starts after it. */
  readonly reservedIds?: number;
  readonly updated?: (before: Versioned<T>, after: T) => Pick<MigrationStep, 'writes' | 'events'>;
  /** Prepares the write, and returns further writes. */
  readonly buildExtraWrites?: (request: Request, thing: T, before: T | undefined) => Promise<readonly Write[]>;
  /** Returns the remark of a plan about an imported thing. */
  readonly remarkOf?: (entry: Entry, before: T | undefined, after: T) => string | undefined;
  readonly after?: ServerKind['after'];
  /** Deletes a thing that the server has deleted; by default the removal of the entity. */
  readonly remove?: (request: FlagRequest, id: never) => Promise<unknown>;
  /** Tells whether a plan names the things that the server has deleted, for a kind whose things are never deleted. */
  readonly kept?: 'named' | 'unnamed';
}

/** Builds the kind of a migration for an entity. */
export function entityKind<TSchema extends v.GenericSchema, T extends object>(
  definition: { readonly schema: TSchema } & EntityKind<v.InferOutput<TSchema>, T>,
): ServerKind {
  const { entity, title = `${entity.kind}s`, list, nameOf = readName('name'), after, kept } = definition;
  const kind = {
    from: ({ lists }: SourceContent) => lists[list],
    // An entity without a counter has names for ids.
    find: (entry: v.InferOutput<TSchema>, stored: ThingsById<T>) => {
      const name = nameOf(entry as JsonObject);
      return entity.counter === undefined
        ? stored.get(name)
        : [...stored.values()].find(({ value }) => nameOf(value as JsonObject) === name);
    },
    remove: (request: FlagRequest, id: never) => entity.remove(request, systemUser, id),
    ...{ nameOf, ...definition },
  };
  return {
    title,
    decisions: (migration) => [() => decide(kind, migration)],
    ...(after && { after }),
    ...(kept !== 'unnamed' && { decideDeletions: (migration) => decideDeletions(kind, migration) }),
  };
}

/** A kind with its defaults. */
type WholeKind<Entry, T extends object> = EntityKind<Entry, T> &
  Required<Pick<EntityKind<Entry, T>, 'from' | 'find' | 'nameOf' | 'remove'>>;

async function decide<Entry, T extends object>(kind: WholeKind<Entry, T>, migration: ServerMigration) {
  const { request, source, target, from } = migration;
  const { entity, rivals, reservedIds = 0 } = kind;
  const { max = Number.POSITIVE_INFINITY } = entity;
  const lastId = reservedIds + (entity.counter === undefined ? 0 : await readCounter(request, entity.counter));
  const [stored, storedRivals] = await Promise.all([
    entity.listVersioned(request),
    rivals?.listVersioned(request) ?? [],
  ]);
  const all = byId(stored, entity);
  const arrivals = await loadArrivals(request, from, entity.kind);
  const others = rivals === undefined ? new Map() : target.withPlanned(rivals.kind, byId(storedRivals, rivals));
  const uniqueValues = [
    ...stored.flatMap(({ value }) => listUniqueTexts(entity, value)),
    ...[...others.values()].flatMap(({ value }) => (rivals === undefined ? [] : listUniqueTexts(rivals, value))),
  ];
  const taken = new Set(uniqueValues);
  const things = kind.from(source);
  const usedIds = [...all.keys(), ...others.keys()].filter((id) => typeof id === 'number');
  let nextId = Math.max(lastId, 0, ...usedIds, ...things.map(numberOf).filter((id) => id < idMax)) + 1;
  let counted = lastId;
  const at = new Date().toISOString();
  const decisions = new Decisions();

  for (const thing of things) {
    const name = truncate(kind.nameOf(thing));
    await decisions.decide(name, async () => {
      const entry: Entry = requireValid(kind.schema, withoutNulls(thing));
      const before = kind.find(entry, all);
      const sourceId = numberOf(thing);
      const isFree = sourceId > reservedIds && sourceId < idMax && !all.has(sourceId) && !others.has(sourceId);
      const newId = isFree ? sourceId : nextId;
      const id = before === undefined ? newId : Number(entity.idOf(before.value));
      const isImported = before === undefined || arrivals.has(entity.idOf(before.value));
      const value = await kind.make(entry, { at, id, before: before?.value, isImported, migration });
      const remark = kind.remarkOf?.(entry, before?.value, value);
      if (before === undefined && all.size >= max) {
        throw new ApiError('ValidationError', describeLimit(max, `${entity.kind}s`));
      }
      const ownValues = before === undefined ? [] : listUniqueTexts(entity, before.value);
      const clash = entity.uniqueValuesOf(value).find(({ key }) => {
        const text = JSON.stringify(key);
        return taken.has(text) && !ownValues.includes(text);
      });
      if (clash !== undefined) throw nameTakenError(entity.kind, clash.property, clash.value);
      const { writes, events, version } =
        before === undefined
          ? entity.buildCreationEffects(value, at, 'retry')
          : { ...(kind.updated ?? entity.buildUpdateEffects)(before, value), version: before.version + 1 };
      const next = writes.length === 0 && before !== undefined ? before : { value, version };
      const ownId = entity.idOf(value);
      all.set(ownId, next);
      target.plan(entity.kind, ownId, next);
      if (entity.counter !== undefined && sourceId > 0) target.noteId(entity.counter, sourceId, Number(ownId));
      for (const text of listUniqueTexts(entity, value)) taken.add(text);
      if (remark !== undefined) decisions.remarks.push({ name, reason: remark });
      if (next === before) {
        decisions.unchanged.push(name);
        return;
      }
      if (before === undefined && !isFree) nextId += 1;
      const counter: Write[] = [];
      if (before === undefined && entity.counter !== undefined && id > counted) {
        counter.push({ add: keys.counter(entity.counter), amounts: { value: id - counted } });
        counted = id;
      }
      const isTracked = kind.kept !== 'unnamed' && (before === undefined || arrivals.isUnchanged(ownId, before));
      const arrival = isTracked ? [arrivals.buildWrite(ownId, version)] : [];
      const { buildExtraWrites } = kind;
      decisions.steps.push({
        name,
        outcome: before === undefined ? 'created' : 'changed',
        writes: [...writes, ...counter, ...arrival],
        events,
        ...(buildExtraWrites && {
          buildExtraWrites: (stepRequest: Request) => buildExtraWrites(stepRequest, value, before?.value),
        }),
      });
    });
  }
  return decisions;
}

function byId<T extends object>(things: readonly Versioned<T>[], { idOf }: Pick<Access<T>, 'idOf'>) {
  return new Map(things.map((thing) => [idOf(thing.value), thing]));
}

function listUniqueTexts<T extends object>({ uniqueValuesOf }: Pick<Access<T>, 'uniqueValuesOf'>, thing: T): string[] {
  return uniqueValuesOf(thing).map(({ key }) => JSON.stringify(key));
}

/** Decides about imported things that the server has deleted. Those that were changed here since then stay. */
async function decideDeletions<Entry, T extends object>(
  { entity, list, from: thingsOf, schema, find, remove, kept }: WholeKind<Entry, T>,
  migration: ServerMigration,
): Promise<KindDecision> {
  const { request, source, from, isPruning } = migration;
  const entries = thingsOf(source).map((thing) => v.safeParse(schema, withoutNulls(thing)));
  // A partial list, or one with an unreadable thing, does not show what was deleted.
  if (!source.whole.has(list) || !entries.every(({ success }) => success)) return { steps: [] };
  const arrivals = await loadArrivals(request, from, entity.kind);
  const all = byId(await entity.listVersioned(request), entity);
  const present = new Set(entries.map(({ output }) => find(output as Entry, all)));
  const decisions = new Decisions();
  for (const [id, thing] of all) {
    if (present.has(thing) || !arrivals.has(id)) continue;
    const { version, value } = thing;
    const name = `${entity.kind} ${readName('username', 'email', 'name', 'description', 'message')({ id, ...value })}`;
    const remark = (reason: string) => decisions.remarks.push({ name, reason });
    if (kept !== undefined) remark('it stays until you delete it');
    else if (!arrivals.isUnchanged(id, thing))
      remark('it stays: since it came it was changed here, or is a member of something');
    else if (!isPruning) remark('it stays until you delete it, or --prune does');
    else {
      const run = (stepRequest: FlagRequest) =>
        remove({ ...stepRequest, expectedVersions: new Set([version]) }, id as never);
      decisions.steps.push(buildRunStep(run, name));
    }
  }
  return decisions;
}

/** Ids of a server must be smaller, so that the counter has room to continue after them. */
const idMax = 2_147_483_647;

function numberOf({ id }: JsonObject): number {
  return Number.isSafeInteger(id) ? Number(id) : 0;
}

type Id = string | number;

/** The imported things of a kind, with the versions that the last migration gave them. */
interface Arrivals {
  has(id: Id): boolean;
  /** True for a thing that was not changed here after its import. */
  isUnchanged(id: Id, thing: Versioned<unknown>): boolean;
  /** Builds the write that notes the version of an imported thing. */
  buildWrite(id: Id, version: number): Write;
}

/** The item that notes the imported version. */
interface Arrival {
  readonly version: number;
}

async function loadArrivals(request: Request, from: string, kind: string): Promise<Arrivals> {
  const items = await queryAll<Key & Arrival>(request, importKeys.arrivals(from, kind));
  const versions = new Map(items.map(({ sk, version }) => [sk, version]));
  const versionOf = (id: Id) => versions.get(importKeys.migratedThing(from, kind, id).sk);
  return {
    has: (id) => versionOf(id) !== undefined,
    isUnchanged: (id, { version }) => versionOf(id) === version,
    buildWrite: (id, version) => ({ put: importKeys.migratedThing(from, kind, id), item: { version } }),
  };
}
