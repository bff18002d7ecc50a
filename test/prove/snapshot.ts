import { type CommandLine, runCommand, type Verdict } from '../../infra/commands/command.ts';
import { readSeed } from '../../lib/imports/seed/seed-data.ts';
import { secondsSince, verdictOn } from './options.ts';
import { openMemoryStore, openService } from './service.ts';
import { pollAnywhere } from './snapshot/monotone.ts';
import { proveOutages } from './snapshot/outages.ts';
import { readTorn, type TornOptions } from './snapshot/torn.ts';

const help = `Proves what SDKs are promised of the features that they get: whole transactions only, though the store shows them
item by item; the last known while the store is silent, down or throttled, and what was restored afterwards; never an
earlier revision for one client, whichever process answers it. Ends with PASS, or with FAIL and 1 when a promise breaks.

  npm run prove:snapshot -- [OPTIONS]

  --quick            at most a minute and a half: fewer reads and changes, and shorter outages
  --without-marks    reads whole transactions as if nothing marked them, which has to FAIL: the proof can see it
  -h, --help         this text`;

const options = {
  quick: { type: 'boolean', default: false },
  'without-marks': { type: 'boolean', default: false },
} as const;

const seed = readSeed({ projects: [{ id: 'shop', environments: ['development', 'production'] }] });

/** Part of the proof; returns the broken promises, or nothing if all hold. */
type Part = (isQuick: boolean) => Promise<readonly string[]>;

async function readHalves(title: string, props: TornOptions) {
  const start = performance.now();
  const counts = await readTorn(await openService(seed), props);
  const { reads, torn, changes, halfReads, refused, examples } = counts;
  console.log(
    `${title}: ${torn} of ${reads} snapshots torn, during ${changes} changes; ${halfReads} reads of the store saw half a transaction, ${refused} snapshots were refused; ${secondsSince(start)}`,
  );
  for (const example of examples) console.log(`  ${example}`);
  return counts;
}

const proveWhole: Part = async (isQuick) => {
  const size = isQuick ? { readsMax: 1_000, secondsMax: 40 } : { readsMax: 100_000, secondsMax: 900 };
  const { torn, halfReads, reads, refused } = await readHalves('Half visible transactions', {
    ...size,
    isMarked: true,
  });
  // Without the marks the same reads are torn; else the proof would see nothing.
  const control = await readHalves('The same without marks', { readsMax: 2_000, secondsMax: 20, isMarked: false });
  return [
    ...(torn > 0 ? [`${torn} snapshots held half a transaction`] : []),
    ...(halfReads === 0 ? ['the store showed no half transaction'] : []),
    ...(reads < size.readsMax / 10 ? [`only ${reads} snapshots could be read`] : []),
    ...(refused > reads ? [`${refused} snapshots were refused, since the features changed too fast`] : []),
    ...(control.torn === 0 ? ['the proof does not see half transactions'] : []),
  ];
};

const proveNeverBack: Part = async (isQuick) => {
  const start = performance.now();
  const { polls, changes, fallen, refused } = await pollAnywhere(await openService(seed), isQuick ? 500 : 10_000);
  console.log(
    `One client of eight processes: the revision fell ${fallen} times in ${polls} polls, ${refused} refused, during ${changes} changes; ${secondsSince(start)}`,
  );
  return fallen > 0 ? [`the revision fell ${fallen} times`] : [];
};

const proveThroughOutages: Part = async (isQuick) => {
  const start = performance.now();
  const lengths = isQuick ? { silent: 7, down: 7, throttled: 3 } : { silent: 20, down: 60, throttled: 20 };
  const { broken, count } = await proveOutages(await openService(seed), lengths);
  console.log(`A store that fails: ${count} promises, ${broken.length} broken; ${secondsSince(start)}`);
  return broken;
};

async function prove({ values: { quick, ...values } }: CommandLine<typeof options>): Promise<Verdict> {
  const start = performance.now();
  await using _store = await openMemoryStore();
  if (values['without-marks']) {
    const { torn } = await readHalves('Without marks', { readsMax: 5_000, secondsMax: 40, isMarked: false });
    return { passed: torn === 0, summary: `${torn} snapshots held half a transaction, in ${secondsSince(start)}.` };
  }
  const broken: string[] = [];
  for (const part of [proveNeverBack, proveThroughOutages, proveWhole]) broken.push(...(await part(quick)));
  return verdictOn(broken, `${broken.length} promises broke, in ${secondsSince(start)}.`);
}

await runCommand({ name: 'prove:snapshot', help, options, run: prove });
