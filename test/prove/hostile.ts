import { parseArgs } from 'node:util';
import { attack } from './hostile/attack.ts';
import { Findings } from './hostile/findings.ts';
import { operations } from './hostile/operations.ts';
import { attackOverHttp } from './hostile/over-http/attack.ts';
import { openStore } from './service.ts';

/** How much is sent, in all and to each operation. */
const amounts = {
  quick: { runs: 200, schemathesisSeconds: 0 },
  full: { runs: 10_000, schemathesisSeconds: 60 },
} as const;

const { values } = parseArgs({
  options: {
    /** Takes less than a minute. */
    quick: { type: 'boolean', default: false },
    /** Makes the same requests again. */
    seed: { type: 'string' },
    /** How many requests are generated for each operation. */
    runs: { type: 'string' },
    /** Attacks one operation alone. */
    only: { type: 'string' },
  },
});

/**
 * Proves that no request breaks the service: whatever is sent, the answer is one that the OpenAPI document describes,
 * tells nothing of the inside, and leaves everything whole.
 */
async function proveHostile(): Promise<boolean> {
  const start = performance.now();
  const seconds = () => ((performance.now() - start) / 1000).toFixed(0);
  const amount = values.quick ? amounts.quick : amounts.full;
  const seed = Number(values.seed ?? Date.now() % 2 ** 31);
  const runs = Number(values.runs ?? amount.runs);
  const attacked = operations.filter(({ operationId }) => values.only === undefined || values.only === operationId);
  if (attacked.length === 0) throw new Error(`There is no operation ${values.only}.`);
  console.log(
    `Hostile requests to ${attacked.length} operations, ${runs} of them generated for each by --seed ${seed}.`,
  );

  await using _store = await openStore();
  const findings = new Findings();
  for (const operation of attacked) {
    await attack(operation, { seed, runs, thinned: values.quick }, findings);
    console.log(`${seconds().padStart(4)} s  ${operation.operationId}`);
  }
  if (values.only === undefined) await attackOverHttp({ seed, seconds: amount.schemathesisSeconds }, findings);

  console.log(`\n${findings.table()}\n`);
  if (findings.isClean) {
    console.log(`All promises held for ${findings.total} requests, in ${seconds()} s.`);
  } else {
    console.error(
      `Promises broke:\n\n${findings.problems()}\n\nThe proof failed after ${seconds()} s; --seed ${seed}.`,
    );
  }
  return findings.isClean;
}

process.exitCode = (await proveHostile()) ? 0 : 1;
