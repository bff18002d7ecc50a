import { median } from '../fresh-process.ts';
import { atMost, coldSearchMsMax, type Verdict } from './bars.ts';
import { importCalls, strategy } from './bodies.ts';
import { get } from './call.ts';
import { startLocalProcess } from './local-process.ts';
import { chunksOf, freshNames } from './names.ts';
import { paths } from './paths.ts';

const features = 5_000;
const importSize = 1_000;

/** Name of the row below for `--only`. */
export const coldSearchName = `first search in ${features} of a new process`;

/**
 * Measures the first page of the first search of a process, which has to read all features.
 * @param rounds number of processes to start.
 * @returns the verdicts on its promises.
 */
export async function measureColdSearch(rounds: number): Promise<Verdict[]> {
  await using filled = await startLocalProcess({ store: 'memory' });
  for (const names of chunksOf(freshNames(features), importSize)) {
    const wanted = names.map((name) => ({ name, enabled: true, strategies: [strategy(50)] }));
    for (const call of importCalls(wanted, filled.server.preparation.importBytesMax)) await filled.server.send(call);
  }
  const samples: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await using fresh = await startLocalProcess({
      store: 'memory',
      environment: { DYNAMODB_ENDPOINT: filled.storeEndpoint },
    });
    const before = performance.now();
    await fresh.server.send(get(paths.search));
    samples.push(performance.now() - before);
  }
  return [atMost(median(samples), coldSearchMsMax, 'half of them', ' ms')];
}
