import { bodyLimitBytes } from '../../lib/http/limits.ts';
import type { ImportData } from '../../lib/imports/import-data-schema.ts';
import { splitImport } from '../../lib/imports/import-parts.ts';
import { Problem } from '../problem.ts';
import type { Source } from './ask-service.ts';
import { type CommandLine, formatCount, runCommand, UsageError } from './command.ts';
import { keptOf, outcome, readServiceState, type ServiceState } from './import-outcome.ts';
import { readExport } from './read-export.ts';
import { sendParts } from './send-parts.ts';
import { assertAnswers, serviceOptions, serviceUrl, tokenFor } from './service.ts';

const help = `Imports an Unleash export, of any size, through the API.

  npm run --silent import -- FILE.json --project PROJECT --environment ENVIRONMENT [options]

  --url URL       the address of the service (http://localhost:PORT, where PORT is 4242 unless set)
  --token TOKEN   a token that may import; better in the environment, as FLAGSTAFF_TOKEN
                  (on this machine, without either: the local token of "npm start")
  --dry-run       only checks the file and prints the number of requests
  -h, --help      this text

The whole file is checked first. It is sent in requests of at most 512 KiB, or of what IMPORT_BODY_LIMIT_BYTES or
BODY_LIMIT_BYTES says, which must then be the same for the service. If it is interrupted, run it again to complete it. At
the end it says how many features were created, changed and left as they were, and lists the parts of the file that were
not imported, with reasons.`;

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
  const { file, notTaken } = await readExport(path, { project, environment });
  const parts = splitImport(file, bodyLimitBytes(process.env, 'IMPORT_BODY_LIMIT_BYTES'));
  const { features, featureStrategies } = file.data;
  const extent = `${formatCount(features.length, 'feature')} and ${formatCount(featureStrategies.length, 'strategy', 'strategies')}`;
  if (values['dry-run']) {
    console.log(`The file is valid: ${extent}, in ${requests(parts.length)}. Nothing was sent.`);
    print(notTaken);
    return;
  }
  const service = serviceUrl(values.url);
  const start = performance.now();
  const source = { service, token: values.token ?? tokenFor(service) };
  await assertAnswers(service);
  const before = await standing(source, file);
  await sendParts(parts, source);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(
    `Sent ${extent} to project "${project}", environment "${environment}", in ${requests(parts.length)} and ${seconds} s.`,
  );
  const after = before && (await standing(source, file));
  if (before === undefined || after === undefined) {
    console.log('What it created and changed cannot be counted: the service does not show its features.');
    return print(notTaken);
  }
  for (const line of outcome(file, before, after)) console.log(line);
  print([...notTaken, ...keptOf(file, before)]);
}

/** Reads the state of the service; undefined if it refuses, so that sending tells the reason. */
function standing(source: Source, file: ImportData): Promise<ServiceState | undefined> {
  return readServiceState(source, file).catch((error) => {
    if (error instanceof Problem) return undefined;
    throw error;
  });
}

function print(notTaken: readonly string[]): void {
  if (notTaken.length > 0) console.log(['Not taken:', ...notTaken.map((each) => `- ${each}`)].join('\n'));
}

function requests(count: number): string {
  return formatCount(count, 'request');
}

await runCommand({ name: 'import', help, options, takesArguments: true, run: importFile });
