import { bodyLimitBytes } from '../../lib/http/limits.ts';
import { importParts } from '../../lib/imports/import-parts.ts';
import { type CommandLine, runCommand, UsageError } from './command.ts';
import { readExport } from './read-export.ts';
import { sendParts } from './send-parts.ts';
import { serviceOptions, serviceUrl, tokenFor } from './service.ts';

const help = `Imports an Unleash export, of any size, through the API.

  npm run --silent import -- FILE.json --project PROJECT --environment ENVIRONMENT [options]

  --url URL       where the service is (http://localhost:4242)
  --token TOKEN   a token that may import; better in the environment, as FLAGSTAFF_TOKEN
                  (on this machine, without either: the local token of "npm start")
  --dry-run       only checks the file and says how many requests it takes
  -h, --help      this text

The whole file is checked first. It is sent in requests of at most 100 kB, or of what IMPORT_BODY_LIMIT_BYTES or
BODY_LIMIT_BYTES says, which must then be the same for the service. Cut off and run again, it completes.`;

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
  const file = await readExport(path, { project, environment });
  const parts = importParts(file, bodyLimitBytes(process.env, 'IMPORT_BODY_LIMIT_BYTES'));
  const { features, featureStrategies } = file.data;
  const extent = `${amount(features.length, 'feature', 'features')} and ${amount(featureStrategies.length, 'strategy', 'strategies')}`;
  if (values['dry-run']) {
    console.log(`The file is valid: ${extent}, in ${requests(parts.length)}. Nothing was sent.`);
    return;
  }
  const service = serviceUrl(values.url);
  const start = performance.now();
  await sendParts(parts, service, values.token ?? tokenFor(service));
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(
    `Sent ${extent} to project "${project}", environment "${environment}", in ${requests(parts.length)} and ${seconds} s; what was already the same was left unchanged.`,
  );
}

function requests(count: number): string {
  return amount(count, 'request', 'requests');
}

function amount(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

await runCommand({ name: 'import', help, options, takesArguments: true, run: importFile });
