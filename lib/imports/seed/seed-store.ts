import type { ChangeUnit } from '../../entity/effects.ts';
import { inSequence, splitAtRepeatedItems } from '../../entity/store-sequence.ts';
import { writeInLoop } from '../../entity/write-loop.ts';
import { invalidRequest } from '../../errors.ts';
import { systemUser } from '../../events/actor.ts';
import type { Request } from '../../request.ts';
import { readCounter, readItem } from '../../store/read.ts';
import { mergeWrites } from '../../store/transactions/merge-writes.ts';
import type { Versions } from '../../store/transactions/versioned.ts';
import type { Write } from '../../store/transactions/write.ts';
import * as importKeys from '../keys.ts';
import { findMissing, type Stored } from './find-missing.ts';
import { type Added, type Addition, type Kind, kinds } from './kinds.ts';
import type { Seed } from './seed-data.ts';

/**
 * Adds the parts of a seed that a store lacks, each thing with its event. Existing things stay untouched, except that a
 * project receives the environments that it lacks. A second call completes an interrupted one; two concurrent calls end in
 * the same state as one.
 * @returns the additions, in the order in which they were made.
 * @throws ApiError 400 whose details name every problem of the seed. Nothing has been written then, except
 * if something that the seed names is deleted during the call: then earlier additions remain.
 */
export async function seedStore(request: Request, seed: Seed): Promise<{ added: Added[] }> {
  const added: Added[] = [];
  const additionsByUnit = new Map<ChangeUnit, Added>();
  await writeInLoop(request, systemUser, {
    strategy: inSequence<SeedState>({
      buildExtraWrites: ({ run }, n) => [buildRunWrite((run?.version ?? 0) + n)],
      onStored: (units) => added.push(...units.flatMap((unit) => additionsByUnit.get(unit) ?? [])),
    }),
    items: [importKeys.seedRun()],
    likelyEvents: 0,
    // The run is read before the things, so that a concurrent run which adds things makes this one start again.
    read: async () => ({
      run: await readItem<Versions>(request, importKeys.seedRun()),
      stored: await readStored(request, seed),
    }),
    decide: async ({ stored }, at) => {
      const missing = findMissing(stored, seed, at);
      const problems = [...seed.problems, ...missing.problems];
      if (problems.length > 0) throw invalidRequest(problems);
      const units = await Promise.all(missing.additions.map((addition) => buildUnit(request, addition)));
      for (const [index, unit] of units.entries()) {
        const { kind, name } = missing.additions[index] as Addition;
        additionsByUnit.set(unit, { kind, name });
      }
      // Two additions may write the same item, such as two groups with the same user. The later one is decided in the next round.
      const [first = []] = splitAtRepeatedItems(units);
      return { units: [first], isPart: first.length < units.length, result: undefined };
    },
  });
  return { added };
}

/** The version that counts the runs of seeds, and the things in the store. */
interface SeedState {
  readonly run: Versions | undefined;
  readonly stored: ReadonlyMap<Kind, Stored>;
}

async function buildUnit(
  request: Request,
  { kind, name, writes, events, buildExtraWrites }: Addition,
): Promise<ChangeUnit> {
  const further = (await buildExtraWrites?.(request)) ?? [];
  return { subject: `${kind} "${name}"`, writes: mergeWrites([...writes, ...further]), events };
}

/**
 * Builds the write on which concurrent seeds conflict, so that only one continues. Without it, both could add the same
 * integration, whose name need not be unique.
 */
function buildRunWrite(version: number): Write {
  return { put: importKeys.seedRun(), item: { version: version + 1 }, when: version === 0 ? 'absent' : { version } };
}

/** Reads all things of the kinds that a seed contains, refers to or looks up: with consistent reads, all kinds in parallel. */
async function readStored(request: Request, { entries }: Seed): Promise<Map<Kind, Stored>> {
  const needed = new Set(
    entries.flatMap(({ kind: { entity, refersTo = {}, looksUp = [] } }) =>
      [entity, ...Object.values(refersTo), ...looksUp].map(({ kind }) => kind),
    ),
  );
  const stored = Object.values(kinds)
    .filter(({ entity }) => needed.has(entity.kind))
    .map(async (kind): Promise<[Kind, Stored]> => {
      const { entity, rivals } = kind;
      const lastId = entity.counter === undefined ? 0 : await readCounter(request, entity.counter);
      const [things, rivalThings] = await Promise.all([
        entity.listVersioned(request),
        rivals?.listVersioned(request) ?? [],
      ]);
      const uniqueValues = [
        ...things.flatMap(({ value }) => entity.uniqueValuesOf(value)),
        ...rivalThings.flatMap(({ value }) => rivals?.uniqueValuesOf(value) ?? []),
      ];
      return [kind, { things, uniqueValues, lastId }];
    });
  return new Map(await Promise.all(stored));
}
