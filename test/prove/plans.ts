import fc from 'fast-check';
import { type CommandLine, runCommand, type Verdict } from '../../infra/commands/command.ts';
import { generate, onTables } from './generated-rounds.ts';
import { amountOption, seedIn, usualOptions, verdictOn } from './options.ts';
import { flawsOfCourse } from './plans/model.ts';
import { anyPlanRound, flawsOfPlanRound } from './plans/rounds.ts';
import { proveScenario } from './plans/scenario.ts';
import { anyCourse } from './plans/steps.ts';
import { flawsOfRollout } from './plans/users.ts';
import { openMemoryStore } from './service.ts';
import { shiftTime } from './shifted-time.ts';

const help = `Proves that a release plan moves by itself as it says, and never otherwise. People add, start, pause, time, edit and remove
a plan, switch its flag and archive it, safeguards trip, and two clocks tick, in generated orders and with steps that overtake each
other. An onlooker compares each change with the promises: no milestone is skipped, starts early or starts twice by time, none starts by
time while its plan is paused, a flag reaches more users only by a person or by its plan, and the lists of the clock agree with the
features. This happens in memory first, with the decisions and the writes of the service, and then on a store, where steps are taken at
the same time and some of those who take them die at a call to the store. Then a flag goes from milestone to milestone, and no user who
has it in the SDK of Node may lose it. Last, people carry out a release on a real server. Ends with PASS, or with FAIL and 1.

  npm run prove:plans -- [OPTIONS]

  --quick         2,000 orders in memory instead of 100,000, and 30 rounds on the store instead of 600
  --runs 50       so many orders in memory
  --rounds 5      so many rounds on the store
  --scenario      only the release from outside, which --quick leaves out: it takes a minute and a half
  --seed 42       the same again; how requests of a round interleave is up to the machine
  -h, --help      this text`;

const options = {
  ...usualOptions,
  runs: { type: 'string' },
  rounds: { type: 'string' },
  scenario: { type: 'boolean', default: false },
} as const;

/** Users who must not lose the flag. */
const users = 10_000;
/** The proof ends early after so many wrong orders, or rounds. */
const wrongMax = 10;

/** Goes through the orders in memory; returns the promises that were broken. */
function tryInMemory(runs: number, seed: number): string[] {
  const broken: string[] = [];
  let [startsByTime, tripsInPause, refused] = [0, 0, 0];
  for (const course of generate(anyCourse, runs, seed)) {
    const outcome = flawsOfCourse(course);
    startsByTime += outcome.startsByTime;
    tripsInPause += outcome.tripsInPause;
    refused += outcome.refused;
    const [flaw] = outcome.flaws;
    if (flaw !== undefined) broken.push(`in memory: ${flaw}\n  ${JSON.stringify(course)}`);
    if (broken.length >= wrongMax) break;
  }
  if (runs >= 1_000 && startsByTime < runs / 10)
    broken.push('Too few milestones started by time for this to say much.');
  if (runs >= 1_000 && tripsInPause < runs / 100)
    broken.push('Too few safeguards of paused plans acted for this to say much.');
  const counts = `${startsByTime} starts by time, ${tripsInPause} actions of safeguards of paused plans, ${refused} refusals`;
  console.log(`${runs} orders in memory: ${counts}, ${broken.length} wrong.`);
  return broken;
}

/** Goes through rounds on a store; returns the promises that were broken. */
async function tryOnStore(rounds: number, seed: number): Promise<string[]> {
  const broken: string[] = [];
  const deaths = new Map<string, number>();
  let startsByTime = 0;
  for await (const table of onTables(fc.sample(anyPlanRound, { seed, numRuns: rounds }))) {
    using time = shiftTime();
    for (const { number, round } of table.rounds) {
      const outcome = await flawsOfPlanRound(table.world, round, time, table.disturb);
      startsByTime += outcome.startsByTime;
      for (const death of outcome.deaths) deaths.set(death, (deaths.get(death) ?? 0) + 1);
      const [flaw] = outcome.flaws;
      if (flaw !== undefined) broken.push(`round ${number}: ${flaw}\n  ${JSON.stringify(round)}`);
    }
    if (broken.length >= wrongMax) break;
  }
  const died = [...deaths.values()].reduce((sum, times) => sum + times, 0);
  if (rounds >= 30 && (startsByTime === 0 || died < rounds)) broken.push('Too little happened for this to say much.');
  console.log(
    `${rounds} rounds on the store: ${startsByTime} starts by time, ${died} deaths at ${deaths.size} places, ${broken.length} wrong.`,
  );
  return broken;
}

async function tryGenerated(runs: number, rounds: number, seed: number): Promise<string[]> {
  await using _store = await openMemoryStore();
  return [...tryInMemory(runs, seed), ...(await tryOnStore(rounds, seed)), ...(await flawsOfRollout(users))];
}

async function prove({ values }: CommandLine<typeof options>): Promise<Verdict> {
  const seed = seedIn(values);
  const runs = amountOption(values, 'runs', [2_000, 100_000]);
  const rounds = amountOption(values, 'rounds', [30, 600]);
  const broken: string[] = [];
  const parts: string[] = [];
  if (!values.scenario) {
    console.log(`Seed ${seed}: repeat with npm run prove:plans -- --seed ${seed} --runs ${runs} --rounds ${rounds}`);
    broken.push(...(await tryGenerated(runs, rounds, seed)));
    parts.push(`${runs} orders, ${rounds} rounds; --seed ${seed}`);
  }
  if (!values.quick || values.scenario) {
    const promises = await proveScenario();
    broken.push(...promises.broken);
    parts.push(`${promises.count} promises to somebody outside`);
  }
  return verdictOn(broken, `${parts.join('; ')}; ${broken.length} broken.`);
}

await runCommand({ name: 'prove:plans', help, options, run: prove });
