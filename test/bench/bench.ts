import { availableParallelism, loadavg } from 'node:os';
import { type CommandLine, runCommand, type Verdict } from '../../infra/commands/command.ts';
import { startMeasuredServer } from './throughput/local-server.ts';
import { help, options, readOptions } from './throughput/options.ts';
import { plans } from './throughput/plans.ts';
import {
  assertChoice,
  growthName,
  showGrowth,
  showLargeWorks,
  showOperations,
  showOtherRows,
} from './throughput/show.ts';

async function bench(line: CommandLine<typeof options>): Promise<Verdict> {
  // Ended by a signal, Node would not run what ends the servers under test.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
  const { peer, only, edge, isQuick } = readOptions(line);
  const plan = isQuick ? plans.quick : plans.full;
  if (only !== undefined) assertChoice(only, plan.large, edge);
  const start = performance.now();
  console.log(`Node ${process.versions.node}, ${availableParallelism()} processors, load ${loadavg()[0]?.toFixed(1)}`);
  let missed = 0;
  if (only !== growthName) {
    const peers = peer === undefined ? [] : [peer];
    missed += await showOperations(peers, only, plan.operations);
    await using local = await startMeasuredServer({ store: 'file' });
    missed += await showLargeWorks([local.server, ...peers], only, plan.large);
    missed += await showOtherRows(only, plan, edge);
  }
  if (only === undefined || only === growthName) missed += await showGrowth(plan.growth);
  const seconds = ((performance.now() - start) / 1_000).toFixed(0);
  const bars = missed === 0 ? 'no bar was missed' : `${missed} bars were missed`;
  return { passed: missed === 0, summary: `${bars}, in ${seconds} s.` };
}

await runCommand({ name: 'bench', help, options, run: bench });
