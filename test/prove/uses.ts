import fc from 'fast-check';
import { type CommandLine, runCommand, type Verdict } from '../../infra/commands/command.ts';
import { underStoreRules } from '../harness/store-rules.ts';
import { injectFaults } from './concurrency/faults.ts';
import { amountOption, seedIn, usualOptions } from './options.ts';
import { openMemoryStore, openService, unhurriedMs } from './service.ts';
import { anyRounds } from './uses/any-use.ts';
import { Coverage } from './uses/coverage.ts';
import { prepareUses, runTogether } from './uses/run.ts';

const help = `Proves that nothing names what is not there any more, and that no count drifts: segments, tags, tag types, strategy
types, context fields, release templates and plans, environments, projects, features, tokens, users, service accounts, groups and roles are used, changed,
moved, cloned and deleted at the same time, some requests together, and the store is looked at after each time. Transactions conflict as on AWS, reads see half of them, and in
every second service one in five requests to the store fails. Ends with PASS, or with FAIL and 1.

  npm run prove:uses -- [OPTIONS]

  --quick        2,000 requests instead of 100,000
  --requests 50  so many
  --seed 42      the same requests and the same failures again; how they interleave is up to the machine
  -h, --help     this text`;

const options = {
  ...usualOptions,
  requests: { type: 'string' },
} as const;

/** Number of requests after which everything that can be named must have been, and must have been deleted. */
const enough = 2_000;

async function prove({ values }: CommandLine<typeof options>): Promise<Verdict> {
  const seed = seedIn(values);
  const wanted = amountOption(values, 'requests', [2_000, 100_000]);
  console.log(`Seed ${seed}: repeat with npm run prove:uses -- --seed ${seed} --requests ${wanted}`);
  await using _store = await openMemoryStore();
  const statuses = new Map<number, number>();
  const coverage = new Coverage();
  let [made, conflicts, wrong] = [0, 0, 0];
  for (let number = 0; made < wanted; number += 1) {
    const isFaulty = number % 2 === 1;
    const [rounds = []] = fc.sample(anyRounds({ min: 30, max: 40 }), { seed: seed + number, numRuns: 1 });
    const service = await openService(undefined, unhurriedMs);
    let content = await prepareUses(service);
    coverage.startOver();
    for (const [index, uses] of rounds.entries()) {
      if (made >= wanted) break;
      const {
        problems,
        statuses: answered,
        items,
      } = await runTogether(service, uses, content, isFaulty, () => {
        const stack = new DisposableStack();
        if (isFaulty) stack.use(injectFaults(service.table, seed + 1_000 * number + index));
        const rules = stack.use(underStoreRules(service.table, { inFlightMs: 2 }));
        stack.defer(() => {
          conflicts += rules.counts.conflicts;
        });
        return stack;
      });
      content = items;
      coverage.note(items);
      made += uses.length;
      for (const status of answered) statuses.set(status, (statuses.get(status) ?? 0) + 1);
      for (const problem of problems) console.log(`service ${number + 1}, round ${index + 1}: ${problem}`);
      wrong += problems.length;
      // A wrong answer does not become right later.
      if (problems.length > 0) {
        for (const { send } of uses) console.log(`  ${send}`);
        break;
      }
    }
    service.table.store.client.destroy();
    if (number % 20 === 19) console.log(`${made} requests, ${conflicts} conflicts, ${wrong} things wrong so far`);
    if (wrong > 20) break;
  }
  const answers = [...statuses].toSorted(([a], [b]) => a - b).map(([status, count]) => `${count} times ${status}`);
  console.log(`Answered: ${answers.join(', ')}.`);
  // So many meet everything by chance.
  const untried = made < enough ? [] : coverage.missing();
  for (const problem of untried) console.log(problem);
  return {
    passed: wrong + untried.length === 0,
    summary: `${made} requests, ${conflicts} conflicts, ${wrong} things wrong, ${untried.length} untried; --seed ${seed}.`,
  };
}

await runCommand({ name: 'prove:uses', help, options, run: prove });
