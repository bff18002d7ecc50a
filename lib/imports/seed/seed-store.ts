import { withEvents } from '../../entity/change.ts';
import { invalidRequest } from '../../errors.ts';
import { systemUser } from '../../events/actor.ts';
import { takeEventIds } from '../../events/event-ids.ts';
import type { Request } from '../../request.ts';
import { packUnits } from '../../store/pack.ts';
import { readItem } from '../../store/read.ts';
import { readCounter } from '../../store/transactions/counter.ts';
import { mergeWrites } from '../../store/transactions/merge-writes.ts';
import { retrySerially } from '../../store/transactions/retry.ts';
import { transact } from '../../store/transactions/transact.ts';
import type { Versions } from '../../store/transactions/versioned.ts';
import type { Write } from '../../store/transactions/write.ts';
import * as importKeys from '../keys.ts';
import { untilRepeated } from '../until-repeated.ts';
import { type Added, kinds, type Member, members } from './kinds.ts';
import { missingFrom, type Stored } from './missing.ts';
import type { Seed } from './seed-data.ts';

/** Room that each transaction keeps: for the run, and for the counts of environments. */
const commonWrites = 2;

/**
 * Adds the parts of a seed that a store lacks, each thing with its event. Existing things stay untouched, except that a
 * project receives the environments that it lacks. Interrupted and called again, it completes; called twice at once, it
 * ends in the same state.
 * @returns the additions, in the order in which they were made.
 * @throws ApiError 400 whose details name every problem of the seed; nothing is written then, unless what it names is
 * deleted meanwhile.
 */
export async function seedStore(request: Request, seed: Seed): Promise<{ added: Added[] }> {
  const added: Added[] = [];
  let isComplete = false;
  while (!isComplete) {
    isComplete = await retrySerially(request, [importKeys.seedRun()], () => addMissing(request, seed, added));
  }
  return { added };
}

/**
 * Adds things that the store lacks.
 * @returns true if nothing is missing now.
 */
async function addMissing(request: Request, seed: Seed, added: Added[]): Promise<boolean> {
  // Before what is there, so that a run which adds to it meanwhile makes this one start anew.
  const run = await readItem<Versions>(request, importKeys.seedRun());
  const stored = await readStored(request, seed);
  const at = new Date().toISOString();
  const missing = missingFrom(stored, seed, at);
  const problems = [...seed.problems, ...missing.problems];
  if (problems.length > 0) throw invalidRequest(problems);
  const complete = missing.additions.map(async (addition) => {
    const further = (await addition.besides?.(request)) ?? [];
    return { ...addition, writes: mergeWrites([...addition.writes, ...further]) };
  });
  // Another run adds those that change an item of an earlier one, as the second group of a user does.
  const [additions = []] = untilRepeated(await Promise.all(complete));
  if (additions.length === 0) return true;

  const amount = additions.reduce((sum, { events }) => sum + events.length, 0);
  const { first } = await takeEventIds(request, amount);
  const named = additions.map((addition) => ({ what: `${addition.kind} "${addition.name}"`, ...addition }));
  const units = withEvents(named, first, systemUser, at);
  let version = run?.version ?? 0;
  for (const pack of packUnits(units, commonWrites)) {
    await transact(request, [runWrite(version), ...pack.flatMap(({ writes }) => writes)], undefined);
    version += 1;
    added.push(...pack.map(({ kind, name }) => ({ kind, name })));
  }
  return additions.length === missing.additions.length;
}

/**
 * Makes concurrent seeds conflict, so that only one continues: they do not see each other's additions, and no unique
 * name guards an addon.
 */
function runWrite(version: number): Write {
  return { put: importKeys.seedRun(), item: { version: version + 1 }, when: version === 0 ? 'absent' : { version } };
}

/** Reads, consistently, what a store holds of the kinds that a seed names, all kinds at once. */
async function readStored(request: Request, { entries }: Seed): Promise<Record<Member, Stored>> {
  const wanted = new Set(entries.flatMap(({ member }) => [member, ...Object.values(kinds[member].refersTo ?? {})]));
  const stored = members.map(async (member): Promise<[Member, Stored]> => {
    const { entity, list = entity.listVersioned, rivals } = kinds[member];
    if (!wanted.has(member)) return [member, { things: [], claims: [], lastId: 0 }];
    const lastId = entity.counter === undefined ? 0 : await readCounter(request, entity.counter);
    const [things, rivalClaims] = await Promise.all([
      list(request),
      rivals?.list(request).then((all) => all.flatMap(rivals.claimsOf)) ?? [],
    ]);
    const claims = [...things.flatMap(({ value }) => entity.claimsOf(value as never)), ...rivalClaims];
    return [member, { things, claims, lastId }];
  });
  return Object.fromEntries(await Promise.all(stored)) as Record<Member, Stored>;
}
