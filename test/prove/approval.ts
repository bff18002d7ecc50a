import fc from 'fast-check';
import { type CommandLine, runCommand, type Verdict } from '../../infra/commands/command.ts';
import { underStoreRules } from '../harness/store-rules.ts';
import { World } from '../harness/world.ts';
import { anySteps, flawsOf } from './approval/model.ts';
import { anyPlanApprovalRound, flawsOfPlanApproval, type PlanOutcomes } from './approval/plan-rounds.ts';
import { anyRound, flawsOfRound } from './approval/rounds.ts';
import { amountOption, seedIn, usualOptions } from './options.ts';
import { openMemoryStore, openService, unhurriedMs } from './service.ts';

const help = `Proves that nothing is applied without approval: a change request is added to, edited, sent to review, approved by
two people, rejected, cancelled, scheduled and applied, in generated orders and with steps that overtake each other, while
the number of approvals and what it was made on change. First the decisions go through a model, which remembers what each
approval saw; then the whole service gets such requests at the same time, and its events have to tell one story that the
content bears out. Then features with release plans get direct and requested changes, starts by the clock, signals, pauses and edited
templates: nothing widens but by an approved request or in the time of the plan. Ends with PASS, or with FAIL and 1.

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

/** Orders that are made at once. */
const runsTogether = 1_000;
/** Rounds that share a table. */
const roundsOfService = 25;

async function prove({ values }: CommandLine<typeof options>): Promise<Verdict> {
  const seed = seedIn(values);
  const runs = amountOption(values, 'runs', [5_000, 100_000]);
  const rounds = amountOption(values, 'rounds', [30, 600]);
  console.log(`Seed ${seed}: repeat with npm run prove:approval -- --seed ${seed} --runs ${runs} --rounds ${rounds}`);

  let [applied, wrong] = [0, 0];
  for (let first = 0; first < runs && wrong <= 20; first += runsTogether) {
    const together = { seed: seed + first, numRuns: Math.min(runsTogether, runs - first) };
    for (const steps of fc.sample(anySteps, together)) {
      const { flaws, isApplied } = flawsOf(steps);
      applied += Number(isApplied);
      for (const flaw of flaws) console.log(`model: ${flaw}\n  ${JSON.stringify(steps)}`);
      wrong += flaws.length;
    }
  }
  console.log(`${runs} orders in the model, ${applied} of them up to an application, ${wrong} things wrong.`);

  const outcomes = new Map<string, number>();
  const ofPlans: PlanOutcomes = { approved: 0, timed: 0, refused: 0, stopped: 0 };
  await using _store = await openMemoryStore();
  const all = fc.sample(anyRound, { seed, numRuns: rounds });
  const planRounds = fc.sample(anyPlanApprovalRound, { seed, numRuns: rounds });
  for (let first = 0; first < rounds && wrong <= 20; first += roundsOfService) {
    const service = await openService(undefined, unhurriedMs);
    const world = new World(service);
    for (const [index, round] of all.slice(first, first + roundsOfService).entries()) {
      const { flaws, state } = await flawsOfRound(world, round, () =>
        underStoreRules(service.table, { inFlightMs: 2 }),
      );
      outcomes.set(state, (outcomes.get(state) ?? 0) + 1);
      for (const flaw of flaws) console.log(`round ${first + index + 1}: ${flaw}\n  ${JSON.stringify(round)}`);
      wrong += flaws.length;
    }
    for (const [index, round] of planRounds.slice(first, first + roundsOfService).entries()) {
      const flaws = await flawsOfPlanApproval(world, round, ofPlans, () =>
        underStoreRules(service.table, { inFlightMs: 2 }),
      );
      for (const flaw of flaws) console.log(`plan ${first + index + 1}: ${flaw}\n  ${JSON.stringify(round)}`);
      wrong += flaws.length;
    }
    service.table.store.client.destroy();
  }
  const ends = [...outcomes].map(([state, times]) => `${times} ${state}`).join(', ');
  const isIdle =
    (runs >= 1_000 && applied < runs / 100) ||
    (rounds >= 30 && (!outcomes.has('Applied') || Object.values(ofPlans).includes(0)));
  if (isIdle) console.log('Too few requests were applied for this to say much.');
  return {
    passed: wrong === 0 && !isIdle,
    summary: `${runs} orders in the model, ${rounds} rounds on the store (${ends}), ${rounds} plans widened ${ofPlans.approved} times by approved requests and ${ofPlans.timed} times by the clock, stopped ${ofPlans.stopped} times by a safeguard, with ${ofPlans.refused} changes refused, ${wrong} things wrong; --seed ${seed}.`,
  };
}

await runCommand({ name: 'prove:approval', help, options, run: prove });
