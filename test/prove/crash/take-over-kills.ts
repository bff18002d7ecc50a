import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { openEmbeddedStore } from '../../../infra/local/embedded-store.ts';
import { openStore } from '../../../lib/store/client/open-store.ts';
import { startDynamoDbServer } from '../../harness/dynamodb-server.ts';
import { importPath } from '../../harness/import-file.ts';
import { contentOf, type Item } from '../../harness/items.ts';
import { World } from '../../harness/world.ts';
import { importFile, manyFeatures } from '../../specifications/files.ts';
import { kill, openMortalProcesses } from '../mortal-processes.ts';
import { openService, type ProvedService } from '../service.ts';

/** Task of a process that opens the store of a folder. */
export interface TakerJob {
  readonly directory: string;
}

/** Most kills in a row of those who take over one file, before it has to succeed. */
const killsInARow = 3;
const longestMs = 400;

/**
 * Kills processes that take over a file of release 0.2 at random moments, and looks whether the last one, which nobody
 * kills, has all of it.
 * @returns a line for each thing that was wrong.
 */
export async function killTakeOvers(
  directory: string,
  { kills, seed }: { kills: number; seed: number },
): Promise<string[]> {
  using processes = await openMortalProcesses(directory, new URL('taker.ts', import.meta.url));
  const earlier = join(directory, 'earlier.db');
  const { table, content } = await fillEarlier(earlier);
  const folder = join(directory, 'taken-over');
  const problems: string[] = [];
  for (const [index, lifeMs] of fc.sample(fc.nat({ max: longestMs }), { seed, numRuns: kills }).entries()) {
    if (index % killsInARow === 0) {
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder);
      // The program was killed, so that some of it is still in its log.
      for (const end of ['', '-wal']) cpSync(`${earlier}${end}`, join(folder, `store.db${end}`));
    }
    const taker = processes.next();
    const begun = once(taker, 'message');
    taker.send({ directory: folder } satisfies TakerJob);
    await begun;
    await sleep(lifeMs);
    await kill(taker);
    if (index % killsInARow !== killsInARow - 1 && index !== kills - 1) continue;
    if (!isDeepStrictEqual(await contentIn(folder, table), content))
      problems.push(`kill number ${index + 1}: something is missing`);
    if (!existsSync(join(folder, 'store-0.2.db')))
      problems.push(`kill number ${index + 1}: the earlier file is not kept aside`);
  }
  return problems;
}

/** Lets the program of release 0.2 keep a service with many features in a file. */
async function fillEarlier(file: string): Promise<{ table: ProvedService['table']; content: Item[] }> {
  const { DYNAMODB_ENDPOINT, TABLE_NAME } = process.env;
  const server = await startDynamoDbServer({ file });
  try {
    process.env.DYNAMODB_ENDPOINT = server.endpoint;
    const service = await openService();
    const world = new World(service);
    await world.ask('POST', importPath, importFile(world, manyFeatures(400)));
    return { table: service.table, content: await contentOf(service.table) };
  } finally {
    await server.stop();
    Object.assign(process.env, { DYNAMODB_ENDPOINT, TABLE_NAME });
  }
}

async function contentIn(directory: string, table: ProvedService['table']): Promise<Item[]> {
  const store = await openEmbeddedStore(directory);
  try {
    return await contentOf({ ...table, store: openStore({ name: table.store.name, endpoint: store.address }) });
  } finally {
    await store.close();
  }
}
