import { type CommandLine, runCommand, UsageError, type Verdict } from '../../infra/commands/command.ts';
import { attack } from './hostile/attack.ts';
import { Findings } from './hostile/findings.ts';
import { operations } from './hostile/operations.ts';
import { attackOverHttp } from './hostile/over-http/attack.ts';
import { seedIn, wholeNumber } from './options.ts';
import { openStore } from './service.ts';

const help = `Proves that no request breaks the service: whatever is sent, the answer is one that the OpenAPI document describes,
says nothing of the inside, and leaves everything whole. Ends with PASS, or with FAIL and 1 when a promise breaks.

  npm run prove:hostile -- [OPTIONS]

  --quick                 200 generated requests for each operation instead of 10,000, and no Schemathesis
  --runs 1000             so many generated requests for each operation
  --only importToggles    one operation alone
  --seed 42               the same requests again
  -h, --help              this text`;

/** How much is sent, in all and to each operation. */
const amounts = {
  quick: { runs: 200, schemathesisSeconds: 0 },
  full: { runs: 10_000, schemathesisSeconds: 60 },
} as const;

const options = {
  quick: { type: 'boolean', default: false },
  seed: { type: 'string' },
  runs: { type: 'string' },
  only: { type: 'string' },
} as const;

async function prove({ values }: CommandLine<typeof options>): Promise<Verdict> {
  const start = performance.now();
  const seconds = () => ((performance.now() - start) / 1000).toFixed(0);
  const amount = values.quick ? amounts.quick : amounts.full;
  const seed = seedIn(values) ?? Date.now() % 2 ** 31;
  const runs = values.runs === undefined ? amount.runs : wholeNumber('--runs', values.runs);
  const attacked = operations.filter(({ operationId }) => values.only === undefined || values.only === operationId);
  if (attacked.length === 0) throw new UsageError(`--only takes an operationId, not "${values.only}".`);
  console.log(
    `Hostile requests to ${attacked.length} operations, ${runs} of them generated for each by --seed ${seed}.`,
  );

  await using _store = await openStore();
  const findings = new Findings();
  for (const operation of attacked) {
    await attack(operation, { seed, runs, thinned: values.quick }, findings);
    console.log(`${seconds().padStart(4)} s  ${operation.operationId}`);
  }
  if (values.only === undefined) {
    const minute = amount.schemathesisSeconds > 0 ? `, then Schemathesis for ${amount.schemathesisSeconds} s` : '';
    console.log(`${seconds().padStart(4)} s  over HTTP${minute} …`);
    await attackOverHttp({ seed, seconds: amount.schemathesisSeconds }, findings);
  }

  console.log(`\n${findings.table()}\n`);
  if (!findings.isClean) console.error(`Promises broke:\n\n${findings.problems()}\n`);
  const held = findings.isClean ? 'all promises kept' : 'promises broken';
  return {
    passed: findings.isClean,
    summary: `${findings.total} requests, ${held}, in ${seconds()} s; --seed ${seed}.`,
  };
}

await runCommand({ name: 'prove:hostile', help, options, run: prove });
