import fc from 'fast-check';
import { type CommandLine, runCommand, type Verdict } from '../../infra/commands/command.ts';
import { underStoreRules } from '../harness/store-rules.ts';
import { injectFaults } from './concurrency/faults.ts';
import { amountOption, seedIn, usualOptions, verdictOn } from './options.ts';
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

/** Number of requests after which everything that can be named must have been, and must have been deleted, by chance. */
const enough = 2_000;
/** The proof ends early after so many things wrong. */
const wrongMax = 20;

/** The counts and the problems so far. */
interface Tally {
  requests: number;
  conflicts: number;
  readonly statuses: Map<number, number>;
  readonly coverage: Coverage;
  readonly problems: string[];
}

interface ServiceOfUses {
  readonly number: number;
  readonly seed: number;
  /** The number of requests of the proof, after which it ends. */
  readonly wanted: number;
}

/** Sends some rounds of requests to a new service. In every second one, requests to the store fail. */
async function useService({ number, seed, wanted }: ServiceOfUses, tally: Tally): Promise<void> {
  const isFaulty = number % 2 === 1;
  const [rounds = []] = fc.sample(anyRounds({ min: 30, max: 40 }), { seed: seed + number, numRuns: 1 });
  const service = await openService(undefined, unhurriedMs);
  let content = await prepareUses(service);
  tally.coverage.startOver();
  for (const [index, uses] of rounds.entries()) {
    if (tally.requests >= wanted) break;
    const { problems, statuses, items } = await runTogether(service, uses, content, isFaulty, () => {
      const stack = new DisposableStack();
      if (isFaulty) stack.use(injectFaults(service.table, seed + 1_000 * number + index));
      const rules = stack.use(underStoreRules(service.table, { inFlightMs: 2 }));
      stack.defer(() => {
        tally.conflicts += rules.counts.conflicts;
      });
      return stack;
    });
    content = items;
    tally.coverage.note(items);
    tally.requests += uses.length;
    for (const status of statuses) tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1);
    tally.problems.push(...problems.map((problem) => `service ${number + 1}, round ${index + 1}: ${problem}`));
    // A wrong answer does not become right later.
    if (problems.length > 0) {
      tally.problems.push(`these were sent together: ${uses.map(({ send }) => send).join(', ')}`);
      break;
    }
  }
  service.table.store.client.destroy();
}

async function prove({ values }: CommandLine<typeof options>): Promise<Verdict> {
  const seed = seedIn(values);
  const wanted = amountOption(values, 'requests', [2_000, 100_000]);
  console.log(`Seed ${seed}: repeat with npm run prove:uses -- --seed ${seed} --requests ${wanted}`);
  await using _store = await openMemoryStore();
  const tally: Tally = { requests: 0, conflicts: 0, statuses: new Map(), coverage: new Coverage(), problems: [] };
  const words = () => `${tally.requests} requests, ${tally.conflicts} conflicts`;
  for (let number = 0; tally.requests < wanted && tally.problems.length < wrongMax; number += 1) {
    await useService({ number, seed, wanted }, tally);
    if (number % 20 === 19) console.log(`${words()}, ${tally.problems.length} things wrong so far`);
  }
  const answers = [...tally.statuses]
    .toSorted(([a], [b]) => a - b)
    .map(([status, count]) => `${count} times ${status}`);
  console.log(`Answered: ${answers.join(', ')}.`);
  const untried = tally.requests < enough ? [] : tally.coverage.missing();
  const broken = [...tally.problems, ...untried];
  return verdictOn(broken, `${words()}, ${broken.length} broken; --seed ${seed}.`);
}

await runCommand({ name: 'prove:uses', help, options, run: prove });
