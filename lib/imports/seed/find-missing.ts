import type { UniqueValue } from '../../entity/entity-definition.ts';
import { nameTakenError } from '../../entity/names.ts';
import { environments } from '../../environments/environments.ts';
import type { ErrorDetail } from '../../errors.ts';
import { describeLimit } from '../../limits.ts';
import * as keys from '../../store/keys.ts';
import type { Versioned } from '../../store/transactions/versioned.ts';
import { findItemErrors, type Write } from '../../store/transactions/write.ts';
import { type Addition, type Kind, KnownThings, kinds } from './kinds.ts';
import { entryNameOf, numberOf, type Seed, type SeedEntry, seedReferences } from './seed-data.ts';

/** Things of one kind in the store. */
export interface Stored {
  readonly things: readonly Versioned<object>[];
  /** The unique values in use. */
  readonly uniqueValues: readonly UniqueValue[];
  /** The highest id that was given out; 0 for a kind without numbers as ids. */
  readonly lastId: number;
}

/** The parts of a seed that a store lacks, in an order in which none refers to a later one. */
interface Missing {
  readonly additions: readonly Addition[];
  /** The reasons why the seed cannot be added to the store, each with its path in the file. */
  readonly problems: readonly ErrorDetail[];
}

/**
 * Returns the parts of a seed that a store lacks. Existing things stay as they are, even if the seed describes them
 * differently, except that a project receives the environments that it lacks.
 * @param stored by kind; kinds that the seed does not need may be omitted.
 * @param at time of the additions.
 */
export function findMissing(stored: ReadonlyMap<Kind, Stored>, { entries }: Seed, at: string): Missing {
  const additions: Addition[] = [];
  const problems: ErrorDetail[] = [];
  const things = new KnownThings();

  for (const kind of Object.values(kinds)) {
    const { entity, wildcard, withDefaults, problemsOf, make, buildExtraWrites, additionsTo } = kind;
    const { max = Number.POSITIVE_INFINITY } = entity;
    const { things: storedThings = [], uniqueValues = [], lastId = 0 } = stored.get(kind) ?? {};
    const ownEntries = entries.filter((seedEntry) => seedEntry.kind === kind);
    const givenIds = new Set(ownEntries.flatMap(({ entry }) => numberOf(entry) ?? []));
    const taken = new Set(uniqueValues.map(({ key }) => JSON.stringify(key)));
    const usedIds = storedThings.map(({ value }) => numberOf(value) ?? 0);
    // New ids are above all ids of the store and of the seed. The API may have given out ids since the counter was read.
    let nextId = Math.max(lastId, ...givenIds, ...usedIds) + 1;
    let counted = lastId;
    const ownThings = things.of(entity);
    for (const thing of storedThings) {
      ownThings.set(entryNameOf(kind, thing.value, givenIds.has(numberOf(thing.value) ?? 0)), thing);
    }

    for (const sent of ownEntries) {
      const id = numberOf(sent.entry);
      const existing = ownThings.get(entryNameOf(kind, sent.entry, id !== undefined));
      const entry =
        existing === undefined && withDefaults !== undefined ? withDefaults(sent.entry, things) : sent.entry;
      const seedEntry = { ...sent, entry };
      const { path } = sent;
      const checks: Write[] = [];
      for (const { to, name, path: pathOfName } of seedReferences(seedEntry)) {
        const thing = things.of(to).get(name);
        if (thing === undefined) problems.push(unknownReference(to, name, pathOfName));
        else if (wildcard === undefined) checks.push(referenceCheck(to, thing));
      }
      if (existing !== undefined) {
        const more = additionsTo?.(existing, entry, things) ?? [];
        additions.push(...more.map((addition) => ({ ...addition, writes: [...checks, ...addition.writes] })));
        continue;
      }
      if (ownThings.size >= max) problems.push({ message: describeLimit(max, `${entity.kind}s`), path });
      for (const { message, path: field } of problemsOf?.(entry, things) ?? []) {
        problems.push({ message, path: field === undefined ? path : `${path}.${field}` });
      }
      const thing = make(entry, { at, id: id ?? nextId, things });
      const thingId = numberOf(thing) ?? 0;
      nextId = Math.max(nextId, thingId + 1);
      const ownValues = entity
        .uniqueValuesOf(thing)
        .map((uniqueValue) => ({ ...uniqueValue, item: JSON.stringify(uniqueValue.key) }));
      const clash = ownValues.find(({ item }) => taken.has(item));
      if (clash !== undefined) problems.push(clashProblem(seedEntry, clash));
      for (const { item } of ownValues) taken.add(item);
      const { writes, events, version } = entity.buildCreationEffects(thing, at, 'retry');
      const [tooLarge] = findItemErrors(writes);
      if (tooLarge !== undefined) problems.push({ ...tooLarge, path });
      ownThings.set(entryNameOf(kind, thing, id !== undefined), { value: thing, version });
      additions.push({
        kind: entity.kind,
        name: entryNameOf(kind, thing, true),
        writes: [...checks, ...writes, ...counterWrite(entity.counter, thingId - counted)],
        events,
        buildExtraWrites: buildExtraWrites && ((request) => buildExtraWrites(request, thing, entry, things)),
      });
      counted = Math.max(counted, thingId);
    }
  }
  return { additions, problems };
}

function clashProblem({ kind, entry, path }: SeedEntry, { property, value }: UniqueValue): ErrorDetail {
  const { message } = nameTakenError(kind.entity.kind, property, value);
  return { message, path: property in entry ? `${path}.${property}` : path };
}

/** Returns the write that keeps a counter from giving out ids in use. */
function counterWrite(counter: string | undefined, value: number): Write[] {
  return counter === undefined || value <= 0 ? [] : [{ add: keys.counter(counter), amounts: { value } }];
}

function unknownReference({ kind }: Kind['entity'], name: string, path: string): ErrorDetail {
  return { message: `There is no ${kind} "${name}", neither in the file nor in the store.`, path };
}

/** Returns the condition that a named thing still exists, and that an environment is unchanged: projects copy it. */
function referenceCheck({ kind, uniqueValuesOf }: Kind['entity'], { value, version }: Versioned<object>): Write {
  const [{ key }] = uniqueValuesOf(value) as [UniqueValue];
  return { check: key, when: kind === environments.kind ? { version } : 'present' };
}
