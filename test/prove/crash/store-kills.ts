import { once } from 'node:events';
import { rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import type { Durability } from '../../../infra/local/sqlite/database.ts';
import { openSqliteStore } from '../../../infra/local/sqlite/sqlite-store.ts';
import { kill, openMortalProcesses } from '../mortal-processes.ts';

/** Task of a process that writes to a store. */
export interface WriterJob {
  readonly file: string;
  readonly durability: Durability;
  /** Differs from all lives of the same file. */
  readonly life: string;
}

/** Message of a process that writes to a store. */
export type WriterWord =
  | { readonly is: 'acknowledged'; readonly id: string }
  | { readonly is: 'refused'; readonly why: string }
  /** The lock was another process's for too long; the transaction is sent again. */
  | { readonly is: 'throttled' }
  /** The log of the store is on disk up to that size. */
  | { readonly is: 'flushed'; readonly size: number };

interface StoreKills {
  readonly kills: number;
  readonly seed: number;
  readonly durability: Durability;
  /** Both processes end at once, and what was not on disk is gone, but for a part of random length. */
  readonly powerCuts: boolean;
}

/** The kills of one file, so that a store also finds what many have left. */
const killsOfFile = 20;
const longestLifeMs = 40;

const chance = fc.record({
  lifeMs: fc.nat({ max: longestLifeMs }),
  /** The time for which the other process goes on alone. */
  afterMs: fc.nat({ max: longestLifeMs }),
  /** The part of what is not on disk that a power cut leaves. */
  part: fc.double({ min: 0, max: 1, noNaN: true }),
});

/**
 * Kills two processes that write to an embedded store, one after the other at random moments, and looks each time for what
 * they acknowledged.
 */
export async function killStores(directory: string, { kills, seed, durability, powerCuts }: StoreKills) {
  using processes = await openMortalProcesses(directory, new URL('writer.ts', import.meta.url));
  const file = join(directory, 'killed.db');
  let acknowledged: string[] = [];
  /** Refusals for now, after which a transaction was sent again, and power cuts that took what was not on disk. */
  let [total, throttled, shortened] = [0, 0, 0];
  const problems: string[] = [];
  for (const [index, { lifeMs, afterMs, part }] of fc.sample(chance, { seed, numRuns: kills / 2 }).entries()) {
    const here = `kills number ${2 * index + 1} and ${2 * index + 2}`;
    if ((2 * index) % killsOfFile === 0) {
      for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
      acknowledged = [];
    }
    let flushed = 0;
    const hear = (word: WriterWord) => {
      switch (word.is) {
        case 'flushed':
          flushed = Math.max(flushed, word.size);
          break;
        case 'acknowledged':
          acknowledged.push(word.id);
          total += 1;
          break;
        case 'throttled':
          throttled += 1;
          break;
        case 'refused':
          problems.push(`${here}: it refused a transaction: ${word.why}`);
      }
    };
    const writers = [processes.next(), processes.next()];
    const ready = Promise.all(writers.map((writer) => once(writer, 'message')));
    for (const [place, writer] of writers.entries()) {
      writer.on('message', hear);
      writer.send({ file, durability, life: `${index}-${place}` } satisfies WriterJob);
    }
    await ready;
    await sleep(lifeMs);
    if (powerCuts) {
      await Promise.all(writers.map(kill));
      shortened += Number(cut(`${file}-wal`, flushed, part));
    } else {
      for (const writer of writers) {
        await kill(writer);
        await sleep(afterMs);
      }
    }
    problems.push(...(await problemsIn(file, acknowledged)).map((problem) => `${here}: ${problem}`));
  }
  return { acknowledged: total, throttled, shortened, problems };
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
  const sumOf = (pk: string) => items.reduce((sum, { pk: { S }, n }) => sum + (S === pk ? Number(n?.N) : 0), 0);
  const [count, taken] = [sumOf('counter'), sumOf('taken')];
  const lost = acknowledged.filter((id) => !first.has(id));
  const torn = first.symmetricDifference(second);
  return [
    ...(lost.length > 0 ? [`${lost.length} acknowledged transactions are lost, such as ${lost[0]}`] : []),
    ...(torn.size > 0 ? [`${torn.size} transactions are torn, such as ${[...torn][0]}`] : []),
    ...(count === first.size ? [] : [`the counters say ${count} where there are ${first.size} transactions`]),
    ...(taken >= first.size ? [] : [`${taken} numbers were taken, and ${first.size} used`]),
  ];
}
