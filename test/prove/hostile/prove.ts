import { UsageError, type Verdict } from '../../../infra/commands/command.ts';
import { seedIn, wholeNumber } from '../options.ts';
import { openStore } from '../service.ts';
import { attack } from './attack.ts';
import { Findings } from './findings.ts';
import { operations } from './operations.ts';
import { attackOverHttp } from './over-http/attack.ts';

/** What the command line says. */
interface Values {
  readonly quick: boolean;
  readonly seed?: string | undefined;
  readonly runs?: string | undefined;
  readonly only?: string | undefined;
}

/** How much is sent, in all and to each operation. */
const amounts = {
  quick: { runs: 200, schemathesisSeconds: 0 },
  full: { runs: 10_000, schemathesisSeconds: 60 },
} as const;

/** Sends everything, and says whether all promises held. */
export async function prove(values: Values): Promise<Verdict> {
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
