import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundle } from '../../infra/bundle.ts';
import { type CommandLine, runCommand, type Verdict } from '../../infra/commands/command.ts';
import { entryPoints } from '../../infra/entry-points.ts';
import { startEmbeddedStore } from '../../infra/local/embedded-store.ts';
import { prepareStore } from '../../lib/imports/seed/fresh-store.ts';
import { environmentRequest } from '../../lib/request.ts';
import { createTable } from '../../lib/store/client/create.ts';
import { newSecret } from '../../lib/tokens/token.ts';
import { bundleBytesMax, coldRatioMax } from '../harness/budgets.ts';
import { median, type Program, timesInTurn } from './fresh-process.ts';

const help = `Measures what a cold start costs: the size of each bundle, and the time of a fresh process from nothing to its first
answer, against that of one that only imports the SDK's client. Ends with PASS, or with FAIL and 1 when a budget is not kept.

  npm run bench:cold -- [OPTIONS]

  --quick       25 processes of each kind instead of 100
  -h, --help    this text`;

const options = { quick: { type: 'boolean', default: false } } as const;

/** What Lambda calls the function with, and what it must answer; the process ends as soon as it has. */
const firstRequest = `
  const [file, authorization, wanted] = process.argv.slice(1);
  const { handler } = require(file);
  const path = '/api/admin/environments';
  const event = {
    version: '2.0', routeKey: 'GET ' + path, rawPath: path, rawQueryString: '', isBase64Encoded: false,
    headers: { authorization }, requestContext: { requestId: 'bench', http: { method: 'GET', path } },
  };
  handler(event, { awsRequestId: 'bench', getRemainingTimeInMillis: () => 29_000 }).then(({ statusCode, body }) => {
    if (statusCode !== Number(wanted)) console.error(statusCode, body);
    process.exit(statusCode === Number(wanted) ? 0 : 1);
  });
`;

async function bench({ values }: CommandLine<typeof options>): Promise<Verdict> {
  const directory = mkdtempSync(join(tmpdir(), 'flagstaff-bench-'));
  const store = await startEmbeddedStore({ file: undefined });
  try {
    const size = await sizesFit(directory);
    const speed = await startsFast(await programs(directory, store.endpoint), values.quick ? 25 : 100);
    return { passed: size && speed, summary: `sizes ${word(size)}, times ${word(speed)} their budgets.` };
  } finally {
    await store.stop();
    rmSync(directory, { recursive: true });
  }
}

const word = (isKept: boolean) => (isKept ? 'within' : 'beyond');

async function sizesFit(directory: string): Promise<boolean> {
  const files = entryPoints();
  await bundle(files, directory);
  const sizes = Object.keys(files)
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

async function startsFast([baseline, ...requests]: readonly Program[], rounds: number): Promise<boolean> {
  if (baseline === undefined) return false;
  const [baselineTimes = [], ...times] = timesInTurn([baseline, ...requests], rounds);
  console.log(`Fresh processes, medians of ${rounds} rounds, one after the other:`);
  console.log(`  ${baseline.name}: ${median(baselineTimes).toFixed(1)} ms`);
  const ratios = requests.map(({ name }, index) => {
    const own = times[index] ?? [];
    // Round by round, so that it does not matter which rounds the machine was busy in.
    const ratio = median(own.map((milliseconds, round) => milliseconds / (baselineTimes[round] ?? Number.NaN)));
    const verdict = ratio > coldRatioMax ? `MISSED: more than ${coldRatioMax}` : `at most ${coldRatioMax}`;
    console.log(`  ${name}: ${median(own).toFixed(1)} ms, ratio ${ratio.toFixed(3)} (${verdict})`);
    return ratio;
  });
  return ratios.every((ratio) => ratio <= coldRatioMax);
}

/** The bar first, then the requests. Each finds in its environment what Lambda puts there. */
async function programs(directory: string, endpoint: string): Promise<Program[]> {
  Object.assign(process.env, { DYNAMODB_ENDPOINT: endpoint, TABLE_NAME: 'bench' });
  const token = newSecret('admin');
  const table = environmentRequest();
  await createTable(table);
  await prepareStore(table, { adminTokens: [token] });
  const environment = {
    TABLE_NAME: table.store.name,
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    AWS_LAMBDA_FUNCTION_NAME: 'bench',
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
    AWS_SECRET_ACCESS_KEY: 'secret',
    AWS_SESSION_TOKEN: 'session',
  };
  const request = (name: string, authorization: string, status: number): Program => ({
    name,
    args: ['-e', firstRequest, bundleOf(directory, 'getAllEnvironments'), authorization, String(status)],
    environment,
  });
  return [
    {
      name: "bare import '@aws-sdk/client-dynamodb'",
      args: ['--input-type=module', '-e', "import '@aws-sdk/client-dynamodb'; process.exit(0);"],
      environment,
    },
    request('GET /api/admin/environments, refused: 401', newSecret('admin'), 401),
    request('GET /api/admin/environments, answered: 200', token, 200),
  ];
}

function bundleOf(directory: string, name: string): string {
  return join(directory, name, 'index.cjs');
}

await runCommand({ name: 'bench:cold', help, options, run: bench });
