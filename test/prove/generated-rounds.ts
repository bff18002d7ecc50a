import fc from 'fast-check';
import { underStoreRules } from '../harness/store-rules.ts';
import { World } from '../harness/world.ts';
import { openService, unhurriedMs } from './service.ts';

/** Values that are generated at once, so that memory does not hold all of a long proof. */
const generatedAtOnce = 1_000;
/** Rounds that share a table, so that later rounds of a long proof are as fast as the first. */
const roundsOfTable = 25;

/** Yields generated values. Equal seeds yield the same ones. */
export function* generate<T>(values: fc.Arbitrary<T>, count: number, seed: number): Generator<T> {
  for (let first = 0; first < count; first += generatedAtOnce) {
    yield* fc.sample(values, { seed: seed + first, numRuns: Math.min(generatedAtOnce, count - first) });
  }
}

/** A service on a fresh table of the open store, and the rounds that take place there. */
export interface TableOfRounds<Round> {
  readonly world: World;
  /** The rounds, and the number of each in the proof. The first is 1. */
  readonly rounds: readonly { readonly number: number; readonly round: Round }[];
  /** Holds the store to the rules of AWS's until it is disposed. */
  readonly disturb: () => Disposable;
}

/** Yields tables for the rounds of a proof, one after the other. */
export async function* onTables<Round>(rounds: readonly Round[]): AsyncGenerator<TableOfRounds<Round>> {
  const numbered = rounds.map((round, index) => ({ number: index + 1, round }));
  for (let first = 0; first < rounds.length; first += roundsOfTable) {
    const service = await openService(undefined, unhurriedMs);
    try {
      yield {
        world: new World(service),
        rounds: numbered.slice(first, first + roundsOfTable),
        disturb: () => underStoreRules(service.table, { inFlightMs: 2 }),
      };
    } finally {
      service.table.store.client.destroy();
    }
  }
}
