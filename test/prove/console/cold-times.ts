import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundle } from '../../../infra/bundle.ts';
import { entryPoints } from '../../../infra/entry-points.ts';
import { startEmbeddedStore } from '../../../infra/local/embedded-store.ts';
import { prepareStore } from '../../../lib/imports/seed/fresh-store.ts';
import { environmentRequest } from '../../../lib/request.ts';
import { createTable } from '../../../lib/store/client/create.ts';
import { newSecret } from '../../../lib/tokens/token.ts';
import { bundleOf, coldStartOf, environmentOfFunctions } from '../../bench/cold-start.ts';
import { medianOf, timesInTurn } from '../../bench/fresh-process.ts';

/** The milliseconds of each function from nothing to its first answer. */
export type ColdTimes = ReadonlyMap<string, number>;

/** Times of each function are the median of so many. */
const rounds = 5;

/**
 * Measures the cold starts of functions on this machine, one after the other, each with a request that it gets. Its caller is
 * unknown, so that the time is that of the start and of a look at the store.
 */
export async function coldTimesOf(
  requests: readonly { readonly name: string; readonly method: string; readonly path: string }[],
): Promise<ColdTimes> {
  const all = { ...entryPoints('few'), ...entryPoints() };
  const first = new Map(requests.toReversed().map((request) => [request.name, request]));
  const deployed = [...first.values()].filter(({ name }) => name in all);
  const directory = mkdtempSync(join(tmpdir(), 'flagstaff-console-'));
  const store = await startEmbeddedStore({ file: undefined });
  try {
    await bundle(Object.fromEntries(deployed.map(({ name }) => [name, all[name] as string])), directory);
    const environment = environmentOfFunctions({
      endpoint: store.endpoint,
      table: await preparedTable(store.endpoint),
    });
    const authorization = newSecret('admin');
    const programs = deployed.map(({ name, method, path }) =>
      coldStartOf(bundleOf(directory, name), { method, path, authorization }, environment),
    );
    const times = timesInTurn(programs, rounds);
    return new Map(deployed.map(({ name }, index) => [name, medianOf(times[index] ?? [])]));
  } finally {
    await store.stop();
    rmSync(directory, { recursive: true });
  }
}

async function preparedTable(endpoint: string): Promise<string> {
  Object.assign(process.env, { DYNAMODB_ENDPOINT: endpoint, TABLE_NAME: 'bench' });
  const table = environmentRequest();
  await createTable(table);
  await prepareStore(table, { adminTokens: [] });
  return table.store.name;
}
