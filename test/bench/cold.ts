import { statSync } from 'node:fs';
import { type CommandLine, runCommand, type Verdict } from '../../infra/commands/command.ts';
import { listEntryPoints } from '../../infra/entry-points.ts';
import { makeSecret } from '../../lib/identity/tokens/token.ts';
import { bundleBytesMax, coldRatioMax, joinedColdRatioMax } from '../harness/budgets.ts';
import { type ColdStage, setColdStage } from './cold-stage.ts';
import { bundleOf, coldStartOf } from './cold-start.ts';
import { medianOf, type Program, timesInTurn } from './fresh-process.ts';

const help = `Measures what a cold start costs: the size of each bundle, and the time of a fresh process from nothing to its first
answer, against that of one that only imports the SDK's client; and that of a function of many endpoints against that of one. Ends with PASS, or with FAIL and 1 when a budget is not kept.

  npm run bench:cold -- [OPTIONS]

  --quick       25 processes of each kind instead of 100
  -h, --help    this text`;

const options = { quick: { type: 'boolean', default: false } } as const;

async function bench({ values }: CommandLine<typeof options>): Promise<Verdict> {
  const token = makeSecret('admin');
  const files = { ...listEntryPoints('few'), ...listEntryPoints() };
  await using stage = await setColdStage(files, [token]);
  const size = sizesFit(Object.keys(files), stage.directory);
  const speed = startsFast(programs(stage, token), values.quick ? 25 : 100);
  return { passed: size && speed, summary: `sizes ${word(size)}, times ${word(speed)} their budgets.` };
}

const word = (isKept: boolean) => (isKept ? 'within' : 'beyond');

function sizesFit(names: readonly string[], directory: string): boolean {
  const sizes = names
    .map((name) => ({ name, bytes: statSync(bundleOf(directory, name)).size }))
    .toSorted((a, b) => b.bytes - a.bytes);
  const [largest] = sizes;
  const smallest = sizes.at(-1);
  console.log(`${sizes.length} bundles: ${largest?.bytes} bytes (${largest?.name}) to ${smallest?.bytes} bytes`);
  const tooLarge = sizes.filter(({ name, bytes }) => bytes > bundleBytesMax(name));
  for (const { name, bytes } of tooLarge)
    console.log(`MISSED: ${name} has ${bytes} bytes, more than ${bundleBytesMax(name)}`);
  return tooLarge.length === 0;
}

/** A program, and how many times as long as another one it may take. */
interface Measured {
  readonly program: Program;
  readonly against?: { readonly program: Program; readonly ratioMax: number };
}

function startsFast(measured: readonly Measured[], rounds: number): boolean {
  const all = measured.map(({ program }) => program);
  const taken = timesInTurn(all, rounds);
  const timesOf = (program: Program) => taken[all.indexOf(program)] ?? [];
  console.log(`Fresh processes, medians of ${rounds} rounds, one after the other:`);
  const kept = measured.map(({ program, against }) => {
    const line = `  ${program.name}: ${medianOf(timesOf(program)).toFixed(1)} ms`;
    if (against === undefined) {
      console.log(line);
      return true;
    }
    const others = timesOf(against.program);
    // Round by round, so that it does not matter which rounds the machine was busy in.
    const ratio = medianOf(timesOf(program).map((milliseconds, round) => milliseconds / (others[round] ?? Number.NaN)));
    const isKept = ratio <= against.ratioMax;
    const verdict = isKept ? `at most ${against.ratioMax}` : `MISSED: more than ${against.ratioMax}`;
    console.log(`${line}, ${ratio.toFixed(3)} times ${against.program.name} (${verdict})`);
    return isKept;
  });
  return kept.every(Boolean);
}

/**
 * Returns the programs: the bar first, then the requests. Each finds in its environment the variables that Lambda sets.
 */
function programs({ directory, environment }: ColdStage, token: string): Measured[] {
  const request = (name: string, path: string, status: number, authorization = token): Program => {
    const program = coldStartOf(bundleOf(directory, name), { path, authorization, status }, environment);
    return { ...program, name: `${name}, ${program.name}` };
  };
  const bare: Program = {
    name: "bare import '@aws-sdk/client-dynamodb'",
    args: ['--input-type=module', '-e', "import '@aws-sdk/client-dynamodb'; process.exit(0);"],
    environment,
  };
  const toBare = { program: bare, ratioMax: coldRatioMax };
  const single = request('getAllEnvironments', '/api/admin/environments', 200);
  const toSingle = { program: single, ratioMax: joinedColdRatioMax };
  const unknown = makeSecret({ projects: ['*'], environment: 'production' });
  return [
    { program: bare },
    { program: request('getAllEnvironments', '/api/admin/environments', 401, makeSecret('admin')), against: toBare },
    { program: single, against: toBare },
    { program: request('segments', '/api/admin/segments', 200), against: toSingle },
    { program: request('administration', '/api/admin/environments', 200), against: toSingle },
    { program: request('flags', '/api/admin/segments', 200), against: toSingle },
    { program: request('auth', '/auth/simple/login', 405), against: toSingle },
    { program: request('service', '/health', 200), against: toSingle },
    { program: request('client', '/api/client/features', 401, unknown), against: toSingle },
    { program: request('frontend', '/api/frontend', 401, unknown), against: toSingle },
  ];
}

await runCommand({ name: 'bench:cold', help, options, run: bench });
