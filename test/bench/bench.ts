import { availableParallelism, loadavg } from 'node:os';
import { startLocalProcess } from './throughput/local-process.ts';
import { readOptions } from './throughput/options.ts';
import { plans } from './throughput/plans.ts';
import { assertChoice, growthName, showGrowth, showLargeWorks, showOperations } from './throughput/show.ts';

/**
 * Measures over HTTP, on this machine, what the service does in a second, how long its callers wait and what it costs in
 * processor time; if asked to, against another server. Ends with 1 when a bar is missed.
 *
 *     npm run bench [-- --help]
 */
// Ended by a signal, Node would not tell anybody, and the servers under test would stay.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));

const options = readOptions();
if (options !== undefined) {
  const { peer, only } = options;
  const plan = options.isQuick ? plans.quick : plans.full;
  if (only !== undefined) assertChoice(only, plan.large);
  const start = performance.now();
  console.log(`Node ${process.versions.node}, ${availableParallelism()} processors, load ${loadavg()[0]?.toFixed(1)}`);
  const missed = await measureAll();
  const seconds = ((performance.now() - start) / 1_000).toFixed(0);
  console.log(`\n${missed === 0 ? 'No bar was missed' : `Bars missed: ${missed}`}; it took ${seconds} s.`);
  process.exitCode = missed === 0 ? 0 : 1;

  async function measureAll(): Promise<number> {
    let missed = 0;
    if (only !== growthName) {
      const peers = peer === undefined ? [] : [peer];
      missed += await showOperations(peers, only, plan.operations);
      await using local = await startLocalProcess({ store: 'file' });
      missed += await showLargeWorks([local.server, ...peers], only, plan.large);
    }
    if (only === undefined || only === growthName) missed += await showGrowth(plan.growth);
    return missed;
  }
}
