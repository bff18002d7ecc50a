import { once } from 'node:events';
import { rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { openSqliteStore } from '../../../infra/local/sqlite/sqlite-store.ts';
import { kill, openMortalProcesses } from './mortal-processes.ts';

/** Task of a process that writes to a store. */
export interface WriterJob {
  readonly file: string;
  /** Differs from all lives of the same file. */
  readonly life: number;
}

/** Message of a process that writes to a store. */
export type WriterWord =
  | { readonly is: 'acknowledged'; readonly id: string }
  | { readonly is: 'refused'; readonly status: number }
  /** The log of the store is on disk up to that size. */
  | { readonly is: 'flushed'; readonly size: number };

export interface StoreKillsReport {
  readonly acknowledged: number;
  /** Number of power cuts that took away something that was not on disk. */
  readonly shortened: number;
  readonly problems: readonly string[];
}

/** Lives of one file, so that a store also finds what many have left. */
const livesOfFile = 10;
const longestLifeMs = 40;

/**
 * Kills a process that writes to an embedded store at random moments, and looks each time for what it acknowledged. With
 * power cuts, what was not on disk is gone as well, but for a part of random length.
 */
export async function killStores(
  directory: string,
  { kills, seed, powerCuts }: { kills: number; seed: number; powerCuts: boolean },
): Promise<StoreKillsReport> {
  using processes = await openMortalProcesses(directory, 'writer');
  const file = join(directory, 'killed.db');
  const chances = fc.sample(fc.tuple(fc.nat({ max: longestLifeMs }), fc.double({ min: 0, max: 1, noNaN: true })), {
    seed,
    numRuns: kills,
  });
  let acknowledged: string[] = [];
  let [total, shortened] = [0, 0];
  const problems: string[] = [];
  for (const [index, [lifeMs, part]] of chances.entries()) {
    if (index % livesOfFile === 0) {
      for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
      acknowledged = [];
    }
    const writer = processes.next();
    let flushed = 0;
    const ready = once(writer, 'message');
    writer.on('message', (word: WriterWord) => {
      switch (word.is) {
        case 'flushed':
          flushed = word.size;
          break;
        case 'acknowledged':
          acknowledged.push(word.id);
          total += 1;
          break;
        case 'refused':
          problems.push(`kill number ${index + 1}: it refused a transaction with ${word.status}`);
      }
    });
    writer.send({ file, life: index } satisfies WriterJob);
    await ready;
    await new Promise((resolve) => setTimeout(resolve, lifeMs));
    await kill(writer);
    if (powerCuts) shortened += Number(cut(`${file}-wal`, flushed, part));
    problems.push(...(await problemsIn(file, acknowledged)).map((problem) => `kill number ${index + 1}: ${problem}`));
  }
  return { acknowledged: total, shortened, problems };
}

/** Takes away a part of what is behind a size; returns whether there was any. */
function cut(log: string, from: number, part: number): boolean {
  const { size } = statSync(log);
  truncateSync(log, from + Math.floor((size - from) * part));
  return size > from;
}

/** Looks for what was acknowledged and is gone, for halves of transactions, and for counts that are not theirs. */
async function problemsIn(file: string, acknowledged: readonly string[]): Promise<string[]> {
  const store = await openSqliteStore(file);
  const items: { readonly pk: { S: string }; readonly sk: { S: string }; readonly n?: { N: string } }[] = [];
  let start: object | undefined;
  do {
    const input = { TableName: 'table', ...(start && { ExclusiveStartKey: start }) };
    // biome-ignore lint/suspicious/noExplicitAny: the page of a scan.
    const { Items = [], LastEvaluatedKey } = (await store.answer('Scan', input)).body as any;
    items.push(...Items);
    start = LastEvaluatedKey;
  } while (start !== undefined);
  await store.close();

  const idsOf = (pk: string) => new Set(items.filter((item) => item.pk.S === pk).map(({ sk }) => sk.S));
  const [first, second] = [idsOf('first'), idsOf('second')];
  const count = items.reduce((sum, { n }) => sum + Number(n?.N ?? 0), 0);
  const lost = acknowledged.filter((id) => !first.has(id));
  const torn = first.symmetricDifference(second);
  return [
    ...(lost.length > 0 ? [`${lost.length} acknowledged transactions are lost, such as ${lost[0]}`] : []),
    ...(torn.size > 0 ? [`${torn.size} transactions are torn, such as ${[...torn][0]}`] : []),
    ...(count === first.size ? [] : [`the counters say ${count} where there are ${first.size} transactions`]),
  ];
}
