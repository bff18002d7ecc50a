import { type CommandLine, runCommand, UsageError, type Verdict } from '../../infra/commands/command.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';
import type { DeathReport } from './crash/deaths.ts';
import { legend, totalOf } from './crash/matrix.ts';
import { openMortalEmbedded, openMortalServer } from './crash/mortal-store.ts';
import { killImports } from './crash/random-kills.ts';
import { runScenario } from './crash/run-scenario.ts';
import { loadScenarios, type Scenario } from './crash/scenarios.ts';
import type { Equipment } from './crash/stage.ts';
import { killStores } from './crash/store-kills.ts';
import { killTakeOvers } from './crash/take-over-kills.ts';
import { openWorkers } from './crash/workers.ts';
import { amountOption, partIn, secondsSince, seedIn, usualOptions } from './options.ts';

const help = `Proves that no mutation is ever half applied, and that sending it again completes it: the process and the store die,
killed with SIGKILL, at every call to the store, and imports of many features at random moments besides. With the store
that Flagstaff embeds both die as one, and nothing that it acknowledged is lost, be it to power cuts. Ends with PASS, or with FAIL and 1 when something was wrong.

  npm run prove:crash -- [OPTIONS]

  --embedded              the store in the process of the service, not a DynamoDB-compatible server beside it
  --quick                 fewer deaths, and each request either with a key or without
  --only importToggles    one operation alone, or the clock
  --kills 1000            only kills of the embedded store while it writes, so many of each kind, and some while it takes
                          over what release 0.2 has kept
  --part 1/2              every second operation from the first on, beside another process with --part 2/2
  --seed 1                the same random moments again
  -h, --help              this text`;

const options = {
  ...usualOptions,
  embedded: { type: 'boolean', default: false },
  only: { type: 'string' },
  part: { type: 'string' },
  kills: { type: 'string' },
} as const;
type Values = CommandLine<typeof options>['values'];

/** Runs of each scenario: without an idempotency key and with one. */
const keyings = [false, true];

/** Returns the outcomes of all deaths, and the number of scenarios that are wrong without any. */
async function tryDeaths(
  equipment: Equipment,
  scenarios: readonly Scenario[],
  values: Values,
): Promise<{ reports: DeathReport[]; broken: number }> {
  console.log(legend);
  const reports: DeathReport[] = [];
  let broken = 0;
  for (const [index, scenario] of scenarios.entries()) {
    for (const isKeyed of values.quick ? [keyings[index % keyings.length] === true] : keyings) {
      try {
        reports.push(...(await runScenario(equipment, scenario, { isKeyed, quick: values.quick })));
      } catch (error) {
        // The others are worth a look all the same.
        console.log(`✗ ${error instanceof Error ? error.message : error}`);
        broken += 1;
      }
    }
  }
  console.log(totalOf(reports));
  return { reports, broken };
}

/** Returns the number of things that were wrong. */
async function tryRandomKills(equipment: Equipment, values: Values): Promise<number> {
  const seed = seedIn(values);
  const kills = (values.quick ? 6 : 200) / keyings.length;
  let wrong = 0;
  for (const isKeyed of keyings) {
    const title = `import of 400 features${isKeyed ? ', with a key' : ''}`;
    const { late, outcomes, problems } = await killImports(equipment, { kills, seed, isKeyed });
    for (const problem of problems) console.log(`✗ ${title}, ${problem}`);
    console.log(
      `${title}: ${kills} kills at random moments (--seed ${seed}): ${outcomes.unchanged} left nothing, ` +
        `${outcomes.partly} some whole features, ${outcomes.complete} all (${late} had answered before); ${problems.length} things were wrong.`,
    );
    wrong += problems.length;
  }
  return wrong;
}

/** With `normal`, nobody is promised anything of a power cut. */
const waysOfEnding = [
  { durability: 'sync', powerCuts: false },
  { durability: 'sync', powerCuts: true },
  { durability: 'normal', powerCuts: false },
] as const;

/** Returns the number of things that were wrong. */
async function tryStoreKills(directory: string, values: Values): Promise<number> {
  const seed = seedIn(values);
  const kills = amountOption(values, 'kills', [50, 10_000]);
  let wrong = 0;
  for (const { durability, powerCuts } of waysOfEnding) {
    const way = { kills, seed, durability, powerCuts };
    const { acknowledged, throttled, shortened, problems } = await killStores(directory, way);
    for (const problem of problems) console.log(`✗ ${durability}, ${problem}`);
    console.log(
      `${kills} kills of two processes that write to one file, with ${durability} (--seed ${seed})${powerCuts ? `, by power cuts, ${shortened} of which took what was not on disk` : ''}: ` +
        `${acknowledged} transactions acknowledged, ${throttled} refusals for now; ${problems.length} things were wrong.`,
    );
    wrong += problems.length;
  }
  const takeOvers = Math.ceil(kills / 50);
  const problems = await killTakeOvers(directory, { kills: takeOvers, seed });
  for (const problem of problems) console.log(`✗ taking over, ${problem}`);
  console.log(
    `${takeOvers} kills of processes that take over a file of release 0.2: ${problems.length} things were wrong.`,
  );
  return wrong + problems.length;
}

async function prove({ values }: CommandLine<typeof options>): Promise<Verdict> {
  const { only } = values;
  const named = (await loadScenarios()).filter(({ operationId }) => [undefined, operationId].includes(only));
  const scenarios = partIn(values, named);
  if (named.length === 0) {
    throw new UsageError(`--only takes the operationId of a mutation, or clock, not "${only}".`);
  }
  process.env.LOG_LEVEL = 'SILENT';
  const start = performance.now();
  using folder = temporaryFolder();
  if (values.kills !== undefined) {
    const wrong = await tryStoreKills(folder.path, values);
    return { passed: wrong === 0, summary: `${wrong} things wrong, in ${secondsSince(start)}.` };
  }
  await using store = await (values.embedded ? openMortalEmbedded : openMortalServer)(folder.path);
  using workers = await openWorkers(folder.path);
  const equipment = { store, workers };
  const { reports, broken } = await tryDeaths(equipment, scenarios, values);
  const wrongDeaths = reports.filter(({ problems }) => problems.length > 0).length;
  const hasImport = scenarios.some(({ operationId }) => operationId === 'importToggles');
  const wrongKills = hasImport ? await tryRandomKills(equipment, values) : 0;
  const wrongStores = values.embedded && hasImport ? await tryStoreKills(folder.path, values) : 0;
  const wrong = wrongDeaths + broken + wrongKills + wrongStores;
  return {
    passed: wrong === 0,
    summary: `${reports.length} deaths, ${wrong} things wrong, in ${secondsSince(start)}.`,
  };
}

await runCommand({ name: 'prove:crash', help, options, run: prove });
