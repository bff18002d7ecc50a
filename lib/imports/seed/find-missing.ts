import { type Claim, nameTaken } from '../../entity/entity.ts';
import type { ErrorDetail } from '../../errors.ts';
import { describeLimit } from '../../limits.ts';
import * as keys from '../../store/keys.ts';
import type { Versioned } from '../../store/transactions/versioned.ts';
import { itemProblems, type Write } from '../../store/transactions/write.ts';
import { type Addition, type Known, kinds, type Member, members } from './kinds.ts';
import { numberOf, type Seed, type SeedEntry, seedReferences } from './seed-data.ts';

/** Things of one kind in the store. */
export interface Stored {
  readonly things: readonly Versioned<object>[];
  /** The unique values in use. */
  readonly claims: readonly Claim[];
  /** The highest id that was given out; 0 where ids are no numbers. */
  readonly lastId: number;
}

/** Everything of a seed that a store lacks, in an order in which nothing refers to what comes after it. */
interface Missing {
  readonly additions: readonly Addition[];
  /** Every reason why the seed cannot be added to the store, with its place in the file. */
  readonly problems: readonly ErrorDetail[];
}

/**
 * Returns the parts of a seed that a store lacks. Existing things stay as they are, even if the seed describes them
 * otherwise, except that a project receives the environments that it lacks.
 * @param at time of the additions.
 */
export function findMissing(stored: Readonly<Record<Member, Stored>>, { entries }: Seed, at: string): Missing {
  const additions: Addition[] = [];
  const problems: ErrorDetail[] = [];
  const maps = members.map((member) => [member, new Map<string, Versioned<object>>()] as const);
  const known = Object.fromEntries(maps) as unknown as Known;

  for (const [member, there] of maps) {
    const { entity, nameOf, wildcard, filled, make, besides, growth } = kinds[member];
    const { things, claims, lastId } = stored[member];
    const own = entries.filter((each) => each.member === member);
    const given = new Set(own.flatMap(({ entry }) => numberOf(entry) ?? []));
    const taken = new Set(claims.map(({ key }) => JSON.stringify(key)));
    // New ids are above all that the store has given out and all that the seed gives.
    // The API may have given ids since the counter was read.
    const inUse = things.map(({ value }) => numberOf(value) ?? 0);
    let nextId = Math.max(lastId, ...given, ...inUse) + 1;
    let counted = lastId;
    for (const thing of things) there.set(nameOf(thing.value, given.has(numberOf(thing.value) ?? 0)), thing);

    for (const sent of own) {
      const id = numberOf(sent.entry);
      const existing = there.get(nameOf(sent.entry, id !== undefined));
      const each =
        filled === undefined || existing !== undefined ? sent : { ...sent, entry: filled(sent.entry, known) };
      const { entry, path } = each;
      const checks: Write[] = [];
      for (const { to, name, path: place } of seedReferences(each)) {
        const thing = known[to].get(name);
        if (thing === undefined) problems.push(unknownReference(to, name, place));
        else if (wildcard === undefined) checks.push(referenceCheck(to, thing));
      }
      if (existing !== undefined) {
        const grown = growth?.(existing, entry, known) ?? [];
        additions.push(...grown.map((addition) => ({ ...addition, writes: [...checks, ...addition.writes] })));
        continue;
      }
      const { max = Number.POSITIVE_INFINITY } = entity;
      if (there.size >= max) problems.push({ message: describeLimit(max, `${entity.kind}s`), path });
      const thing = make(entry, { at, id: id ?? nextId, known });
      const thingId = numberOf(thing) ?? 0;
      nextId = Math.max(nextId, thingId + 1);
      const ownClaims = entity.claimsOf(thing).map((claim) => ({ ...claim, item: JSON.stringify(claim.key) }));
      const clash = ownClaims.find(({ item }) => taken.has(item));
      if (clash !== undefined) problems.push(clashProblem(entity.kind, clash, each));
      for (const { item } of ownClaims) taken.add(item);
      const { writes, events, version } = entity.created(thing, at, 'retry');
      const [tooLarge] = itemProblems(writes);
      if (tooLarge !== undefined) problems.push({ ...tooLarge, path });
      there.set(nameOf(thing, id !== undefined), { value: thing, version });
      additions.push({
        kind: entity.kind,
        name: nameOf(thing, true),
        writes: [...checks, ...writes, ...counterWrite(entity.counter, thingId - counted)],
        events,
        besides: besides && ((request) => besides(request, thing, entry, known)),
      });
      counted = Math.max(counted, thingId);
    }
  }
  return { additions, problems };
}

function clashProblem(kind: string, { property, value }: Claim, { entry, path }: SeedEntry): ErrorDetail {
  const { message } = nameTaken(kind, property, value);
  return { message, path: property in entry ? `${path}.${property}` : path };
}

/** Returns the write that keeps a counter from giving out ids in use. */
function counterWrite(counter: string | undefined, value: number): Write[] {
  return counter === undefined || value <= 0 ? [] : [{ add: keys.counter(counter), amounts: { value } }];
}

function unknownReference(to: Member, name: string, path: string): ErrorDetail {
  return { message: `There is no ${kinds[to].entity.kind} "${name}", neither in the file nor in the store.`, path };
}

/** Returns the condition that a named thing still exists, and that an environment is unchanged: projects copy it. */
function referenceCheck(to: Member, { value, version }: Versioned<object>): Write {
  const [{ key }] = kinds[to].entity.claimsOf(value as never) as [Claim];
  return { check: key, when: to === 'environments' ? { version } : 'present' };
}
