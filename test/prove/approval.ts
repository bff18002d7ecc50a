import fc from 'fast-check';
import { type CommandLine, runCommand, type Verdict } from '../../infra/commands/command.ts';
import { anySteps, flawsOf } from './approval/model.ts';
import {
  anyPlanApprovalRound,
  flawsOfPlanApproval,
  type PlanApprovalRound,
  type PlanOutcomes,
} from './approval/plan-rounds.ts';
import { anyRound, flawsOfRound } from './approval/rounds.ts';
import { generate, onTables } from './generated-rounds.ts';
import { amountOption, seedIn, usualOptions, verdictOn } from './options.ts';
import { openMemoryStore } from './service.ts';

const help = `Proves that nothing is applied without approval: a change request is added to, edited, sent to review, approved by
two people, rejected, cancelled, scheduled and applied, in generated orders and with steps that overtake each other, while
the number of approvals and what it was made on change. First the decisions go through a model, which remembers what each
approval saw; then the whole service gets such requests at the same time, and its events have to tell one story that the
content bears out. Then features with release plans get direct and requested changes, starts by the clock, signals, pauses and edited
templates: nothing widens but by an approved request, in the time of the plan, or on the way back to a milestone that was live. Ends with
PASS, or with FAIL and 1.

  npm run prove:approval -- [OPTIONS]

  --quick       5,000 orders in the model instead of 100,000, and 30 rounds on the store instead of 600,
                both of requests and of plans
  --runs 50     so many orders in the model
  --rounds 5    so many rounds on the store
  --seed 42     the same again; how requests of a round interleave is up to the machine
  -h, --help    this text`;

const options = {
  ...usualOptions,
  runs: { type: 'string' },
  rounds: { type: 'string' },
} as const;

/** The proof ends early after so many wrong orders, or rounds. */
const wrongMax = 20;

/** Goes through the orders in the model; returns the promises that were broken. */
function tryInModel(runs: number, seed: number): string[] {
  const broken: string[] = [];
  let applied = 0;
  for (const steps of generate(anySteps, runs, seed)) {
    const { flaws, isApplied } = flawsOf(steps);
    applied += Number(isApplied);
    for (const flaw of flaws) broken.push(`model: ${flaw}\n  ${JSON.stringify(steps)}`);
    if (broken.length >= wrongMax) break;
  }
  if (runs >= 1_000 && applied < runs / 100) broken.push('Too few orders were applied for this to say much.');
  console.log(`${runs} orders in the model, ${applied} of them up to an application, ${broken.length} things wrong.`);
  return broken;
}

/** Goes through rounds of requests and rounds of plans on a store; returns the promises that were broken. */
async function tryOnStore(rounds: number, seed: number): Promise<string[]> {
  const broken: string[] = [];
  const states = new Map<string, number>();
  const plans: PlanOutcomes = { approved: 0, timed: 0, refused: 0, stopped: 0 };
  const planRounds = fc.sample(anyPlanApprovalRound, { seed, numRuns: rounds });
  const all = fc.sample(anyRound, { seed, numRuns: rounds }).map((ofRequest, index) => ({
    ofRequest,
    ofPlan: planRounds[index] as PlanApprovalRound,
  }));
  for await (const { world, rounds: ofTable, disturb } of onTables(all)) {
    for (const { number, round } of ofTable) {
      const { flaws, state } = await flawsOfRound(world, round.ofRequest, disturb);
      states.set(state, (states.get(state) ?? 0) + 1);
      broken.push(...flaws.map((flaw) => `round ${number}: ${flaw}\n  ${JSON.stringify(round.ofRequest)}`));
      const flawsOfPlan = await flawsOfPlanApproval(world, round.ofPlan, plans, disturb);
      broken.push(...flawsOfPlan.map((flaw) => `plan ${number}: ${flaw}\n  ${JSON.stringify(round.ofPlan)}`));
    }
    if (broken.length >= wrongMax) break;
  }
  if (rounds >= 30 && (!states.has('Applied') || Object.values(plans).includes(0)))
    broken.push('Too little happened for this to say much.');
  const ends = [...states].map(([state, times]) => `${times} ${state}`).join(', ');
  console.log(
    `${rounds} rounds on the store (${ends}), ${rounds} plans widened ${plans.approved} times by approved requests and ${plans.timed} times by the clock, stopped ${plans.stopped} times by a safeguard, with ${plans.refused} changes refused, ${broken.length} things wrong.`,
  );
  return broken;
}

async function prove({ values }: CommandLine<typeof options>): Promise<Verdict> {
  const seed = seedIn(values);
  const runs = amountOption(values, 'runs', [5_000, 100_000]);
  const rounds = amountOption(values, 'rounds', [30, 600]);
  console.log(`Seed ${seed}: repeat with npm run prove:approval -- --seed ${seed} --runs ${runs} --rounds ${rounds}`);
  await using _store = await openMemoryStore();
  const broken = [...tryInModel(runs, seed), ...(await tryOnStore(rounds, seed))];
  return verdictOn(
    broken,
    `${runs} orders in the model, ${rounds} rounds on the store, ${broken.length} broken; --seed ${seed}.`,
  );
}

await runCommand({ name: 'prove:approval', help, options, run: prove });
