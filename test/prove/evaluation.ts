import { type CommandLine, runCommand, type Verdict } from '../../infra/commands/command.ts';
import { proveGenerated } from './evaluation/generated.ts';
import { proveLikeNodeSdk } from './evaluation/node-engine.ts';
import { proveSpecification } from './evaluation/specification.ts';
import { secondsSince, seedIn, usualOptions, verdictOn } from './options.ts';
import { NotHere } from './sdks/tools.ts';
import { openMemoryStore } from './service.ts';

const help = `Proves that flags which were made through the API are evaluated over HTTP as every SDK evaluates them: the checks of
SDKs' own specification, by /api/frontend and by OFREP, and generated flags compared with the engine of Unleash's other
SDKs, which is installed from the Python Package Index where that is there. Generated flags of every kind, many of which
the API would refuse, are evaluated in the process and compared with the SDK of Node. Ends with PASS, or with FAIL and 1.

  npm run prove:evaluation -- [OPTIONS]

  --quick       40 generated flags and 30 contexts instead of 400 and 150; 400 and 50 of every kind instead of 2,000 and 250
  --seed 42     the same flags and contexts again
  -h, --help    this text`;

const shownMax = 10;

async function specified(): Promise<readonly string[]> {
  const { checks, failed, refused } = await proveSpecification();
  console.log(`Specification: ${checks} checks over HTTP by both ways, ${failed.length} wrong answers.`);
  if (refused.size > 0) {
    console.log('These flags the API refuses to make; they were put into the store past it (checks, reason):');
  }
  for (const [flag, { reason, checks: count }] of refused) console.log(`  ${flag} (${count}): ${reason}`);
  return failed;
}

async function generated(isQuick: boolean, seed: number): Promise<readonly string[]> {
  const size = isQuick ? { features: 40, contexts: 30 } : { features: 400, contexts: 150 };
  try {
    const { compared, different } = await proveGenerated({ ...size, seed });
    console.log(`Generated flags: ${compared - different.length} of ${compared} evaluations equal.`);
    return different;
  } catch (error) {
    if (!(error instanceof NotHere)) throw error;
    console.log(`Generated flags: not compared, ${error.message}`);
    return [];
  }
}

function likeNodeSdk(isQuick: boolean, seed: number): readonly string[] {
  const size = isQuick ? { features: 400, contexts: 50 } : { features: 2_000, contexts: 250 };
  const { compared, different } = proveLikeNodeSdk({ ...size, seed });
  console.log(`Flags of every kind: ${compared - different.length} of ${compared} evaluations as by the SDK of Node.`);
  return different;
}

async function prove({ values }: CommandLine<typeof usualOptions>): Promise<Verdict> {
  const start = performance.now();
  const seed = seedIn(values);
  console.log(`Seed ${seed}: repeat with npm run prove:evaluation -- --seed ${seed}${values.quick ? ' --quick' : ''}`);
  process.env.IMPORT_BODY_LIMIT_BYTES = '4718592';
  await using _store = await openMemoryStore();
  const wrong = [...(await specified()), ...(await generated(values.quick, seed)), ...likeNodeSdk(values.quick, seed)];
  return verdictOn(wrong.slice(0, shownMax), `${wrong.length} wrong answers, in ${secondsSince(start)}.`);
}

await runCommand({ name: 'prove:evaluation', help, options: usualOptions, run: prove });
