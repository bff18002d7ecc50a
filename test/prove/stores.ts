import { type CommandLine, runCommand, type Verdict } from '../../infra/commands/command.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';
import { amountOption, secondsSince, seedIn, usualOptions, verdictOn } from './options.ts';
import { compareGenerated } from './stores/compare-generated.ts';
import { startDynamoDbLocal } from './stores/dynamodb-local.ts';
import { unmetErrors } from './stores/reference-errors.ts';

const help = `Proves that the store which Flagstaff embeds answers as DynamoDB does: generated sequences of all operations, with failing
conditions, transactions that come again, mistakes and what is at the store's limits, go to it and to a DynamoDB-compatible
server, which has to answer the same, items, reasons and units included. The servers' own errors are known by name. Ends with
PASS, or with FAIL, the first difference in its smallest form, and 1.

  npm run prove:stores -- [OPTIONS]

  --with-dynamodb-local    compares with Amazon's DynamoDB Local, too, which comes from Maven's repository and needs Java 17
  --quick                  1,000 sequences instead of 100,000
  --sequences 5000         another number of them
  --seed 42                the same sequences again
  -h, --help               this text`;

const options = {
  ...usualOptions,
  'with-dynamodb-local': { type: 'boolean', default: false },
  sequences: { type: 'string' },
} as const;

const allSequences = 100_000;

async function prove({ values }: CommandLine<typeof options>): Promise<Verdict> {
  const start = performance.now();
  const seed = seedIn(values);
  const sequences = amountOption(values, 'sequences', [1_000, allSequences]);
  const isLocal = values['with-dynamodb-local'];
  console.log(
    `Seed ${seed}: repeat with npm run prove:stores -- --seed ${seed} --sequences ${sequences}${isLocal ? ' --with-dynamodb-local' : ''}`,
  );
  using folder = temporaryFolder();
  await using local = isLocal ? await startDynamoDbLocal(folder.path) : undefined;
  const { stores, done, requests, met, problems } = await compareGenerated({ sequences, seed, local: local?.endpoint });
  for (const [{ store, error }, times] of met) console.log(`  ${store}, ${times} times: ${error}`);
  if (sequences >= allSequences) {
    const cured = unmetErrors(stores, new Set(met.keys()));
    problems.push(...cured.map(({ store, error }) => `${store} has no longer a known error: ${error}`));
  }
  return verdictOn(
    problems,
    `${requests} requests in ${done} sequences to the embedded store and ${stores.join(' and ')}, ${problems.length} things wrong, in ${secondsSince(start)}.`,
  );
}

await runCommand({ name: 'prove:stores', help, options, run: prove });
