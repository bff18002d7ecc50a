import { bodyLimitBytes } from '../../lib/http/limits.ts';
import type { ImportData } from '../../lib/imports/import-data-schema.ts';
import { splitImport } from '../../lib/imports/import-parts.ts';
import { Problem } from '../problem.ts';
import type { Source } from './ask-service.ts';
import { type CommandLine, formatCount, runCommand, UsageError } from './command.ts';
import { describeOutcome, listSkipped, loadServiceState, type ServiceState } from './import-outcome.ts';
import { readExport } from './read-export.ts';
import { sendParts } from './send-parts.ts';
import { assertAnswers, serviceOptions, serviceUrl, tokenFor } from './service.ts';

const help = `Imports an Unleash export of any size, through the API.

  npm run --silent import -- FILE.json --project PROJECT --environment ENVIRONMENT [options]

  --url URL       the address of the service (default: http://localhost:PORT, where PORT is 4242 unless set)
  --token TOKEN   a token that may import; safer in the environment variable FLAGSTAFF_TOKEN
                  (default for a service on this machine: the local token of "npm start")
  --dry-run       only checks the file, and prints the number of requests
  -h, --help      this text

The whole file is checked first. Then it is sent in requests of at most 512 KiB. IMPORT_BODY_LIMIT_BYTES or BODY_LIMIT_BYTES sets
another limit, which the service must have as well. If the import is interrupted, run the command again to complete it. At the
end it prints how many features were created, changed and unchanged, and lists the parts of the file that were not imported,
with reasons.`;

const options = {
  project: { type: 'string' },
  environment: { type: 'string' },
  ...serviceOptions,
  'dry-run': { type: 'boolean', default: false },
} as const;

async function importFile({ values, positionals }: CommandLine<typeof options>): Promise<void> {
  const { project, environment } = values;
  const [path] = positionals;
  if (path === undefined || positionals.length > 1) throw new UsageError('Exactly one file is required.');
  if (project === undefined || environment === undefined) {
    throw new UsageError('--project and --environment are required.');
  }
  const { file, notImported } = await readExport(path, { project, environment });
  const parts = splitImport(file, bodyLimitBytes(process.env, 'IMPORT_BODY_LIMIT_BYTES'));
  const { features, featureStrategies } = file.data;
  const description = `${formatCount(features.length, 'feature')} and ${formatCount(featureStrategies.length, 'strategy', 'strategies')}`;
  if (values['dry-run']) {
    console.log(`The file is valid: ${description}, in ${countRequests(parts.length)}. Nothing was sent.`);
    print(notImported);
    return;
  }
  const service = serviceUrl(values.url);
  const start = performance.now();
  const source = { service, token: values.token ?? tokenFor(service) };
  await assertAnswers(service);
  const before = await tryLoadState(source, file);
  await sendParts(parts, source);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(
    `Sent ${description} to project "${project}", environment "${environment}", in ${countRequests(parts.length)} and ${seconds} s.`,
  );
  const after = before && (await tryLoadState(source, file));
  if (before === undefined || after === undefined) {
    console.log('The created and changed features cannot be counted, since the service does not show its features.');
    return print(notImported);
  }
  for (const line of describeOutcome(file, before, after)) console.log(line);
  print([...notImported, ...listSkipped(file, before)]);
}

/** Loads the state of the service. Returns undefined if it refuses; sending then reports the reason. */
function tryLoadState(source: Source, file: ImportData): Promise<ServiceState | undefined> {
  return loadServiceState(source, file).catch((error) => {
    if (error instanceof Problem) return undefined;
    throw error;
  });
}

function print(notImported: readonly string[]): void {
  if (notImported.length > 0) console.log(['Not imported:', ...notImported.map((line) => `- ${line}`)].join('\n'));
}

function countRequests(count: number): string {
  return formatCount(count, 'request');
}

await runCommand({ name: 'import', help, options, takesArguments: true, run: importFile });
