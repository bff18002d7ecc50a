import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { DeathReport } from './crash/deaths.ts';
import { legend, totalOf } from './crash/matrix.ts';
import { openMortalStore } from './crash/mortal-store.ts';
import { scenariosOfMutations } from './crash/mutations.ts';
import { killImports } from './crash/random-kills.ts';
import { runScenario } from './crash/run-scenario.ts';
import type { Equipment } from './crash/stage.ts';
import { openWorkers } from './crash/workers.ts';

/**
 * Proves that no mutation is ever half applied, and that sending it again completes it: the process and the store die,
 * killed with SIGKILL, at every call to the store, and imports of many features at random moments besides.
 *
 *     npm run prove:crash [-- --quick] [-- --seed 1] [-- --only importToggles]
 */

/** Each scenario is run without an idempotency key and with one. */
const keyings = [false, true];

const { values } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, seed: { type: 'string' }, only: { type: 'string' } },
});

async function tryDeaths(equipment: Equipment): Promise<boolean> {
  console.log(legend);
  const reports: DeathReport[] = [];
  for (const [operationId, scenario] of scenariosOfMutations()) {
    if (values.only !== undefined && values.only !== operationId) continue;
    for (const isKeyed of keyings) {
      const options = { isKeyed, quick: values.quick };
      reports.push(...(await runScenario(equipment, operationId, scenario, options)));
    }
  }
  console.log(totalOf(reports));
  return reports.every(({ problems }) => problems.length === 0);
}

async function tryRandomKills(equipment: Equipment): Promise<boolean> {
  const seed = values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed);
  const kills = (values.quick ? 6 : 200) / keyings.length;
  let isWell = true;
  for (const isKeyed of keyings) {
    const title = `import of 400 features${isKeyed ? ', with a key' : ''}`;
    const { late, outcomes, problems } = await killImports(equipment, { kills, seed, isKeyed });
    for (const problem of problems) console.log(`✗ ${title}, ${problem}`);
    console.log(
      `${title}: ${kills} kills at random moments (--seed ${seed}): ${outcomes.unchanged} left nothing, ` +
        `${outcomes.partly} some whole features, ${outcomes.complete} all (${late} had answered before); ${problems.length} things were wrong.`,
    );
    isWell &&= problems.length === 0;
  }
  return isWell;
}

process.env.LOG_LEVEL = 'SILENT';
const start = performance.now();
const directory = await mkdtemp(join(tmpdir(), 'flagstaff-crash-'));
try {
  await using store = await openMortalStore(directory);
  using workers = await openWorkers(directory);
  const equipment = { store, workers };
  const isOnlyOther = values.only !== undefined && values.only !== 'importToggles';
  const isWell = [await tryDeaths(equipment), isOnlyOther || (await tryRandomKills(equipment))];
  if (isWell.includes(false)) process.exitCode = 1;
} finally {
  await rm(directory, { recursive: true });
}
console.log(`It took ${Math.round((performance.now() - start) / 1000)} s.`);
