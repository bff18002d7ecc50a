import { bodyLimitBytes } from '../../lib/http/limits.ts';
import { importParts } from '../../lib/imports/import-parts.ts';
import { insecureLocalToken } from '../local/insecure-token.ts';
import { type CommandLine, runCommand, UsageError } from './command.ts';
import { readExport } from './read-export.ts';
import { sendParts } from './send-parts.ts';

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
  url: { type: 'string', default: 'http://localhost:4242' },
  token: { type: 'string' },
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
  const extent = `${file.data.features.length} features and ${file.data.featureStrategies.length} strategies`;
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
  return count === 1 ? '1 request' : `${count} requests`;
}

function serviceUrl(text: string): URL {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) throw new UsageError(`--url must be an address, not "${text}".`);
  // Clients know the service by this address, and the tour of the README sets it as one, too.
  url.pathname = url.pathname.replace(/\/api\/admin\/?$/, '');
  return url;
}

function tokenFor({ hostname }: URL): string {
  const { FLAGSTAFF_TOKEN } = process.env;
  if (FLAGSTAFF_TOKEN) return FLAGSTAFF_TOKEN;
  // The local token opens nothing elsewhere, and what opens nothing need not travel.
  if (['localhost', '127.0.0.1', '[::1]'].includes(hostname)) return insecureLocalToken;
  throw new UsageError('--token or the variable FLAGSTAFF_TOKEN is required.');
}

await runCommand({ name: 'import', help, options, takesArguments: true, run: importFile });
