import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { get } from '../../harness/http-call.ts';
import { medianOf } from '../fresh-process.ts';
import { atMost, type BarVerdict, coldSearchMsMax } from './bars.ts';
import { importCalls, rolloutStrategy } from './bodies.ts';
import { startMeasuredServer } from './local-server.ts';
import { freshNames, slicesOf } from './names.ts';
import { benchPaths } from './paths.ts';

const features = 5_000;
const importSize = 1_000;

/** Name of the row below for `--only`. */
export const coldSearchName = `first search in ${features} of a new process`;

/**
 * Measures the first page of the first search of a process, which has to read all features.
 * @param rounds number of processes to start.
 * @returns the verdicts on its promises.
 */
export async function measureColdSearch(rounds: number): Promise<BarVerdict[]> {
  await using filled = await startMeasuredServer({ store: 'memory' });
  for (const names of slicesOf(freshNames(features), importSize)) {
    const wanted = names.map((name) => ({ name, enabled: true, strategies: [rolloutStrategy(50)] }));
    for (const call of importCalls(wanted, filled.server.preparation.importBytesMax)) await filled.server.send(call);
  }
  const samples: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await using fresh = await startMeasuredServer({
      store: 'memory',
      environment: { DATA_DIR: dirname(fileURLToPath(filled.storeEndpoint)) },
    });
    const before = performance.now();
    await fresh.server.send(get(benchPaths.search));
    samples.push(performance.now() - before);
  }
  return [atMost(medianOf(samples), coldSearchMsMax, 'half of them', ' ms')];
}
