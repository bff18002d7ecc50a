import { writeFile } from 'node:fs/promises';
import { type CommandLine, runCommand, UsageError } from './command.ts';
import { fetchExport } from './fetch-export.ts';
import { serviceOptions, serviceUrl, tokenFor } from './service.ts';

const help = `Exports features as Unleash does, of any number, through the API: as they are in an environment, with all that an
import of them needs.

  npm run --silent export -- [FEATURE ...] --environment ENVIRONMENT [options]

  --project PROJECT   without features: those of a project
  --tag TAG           without features: those with a tag, by its value or as type:value; of a project with --project
  --out FILE          where it goes (stdout)
  --url URL           where the service is (http://localhost:4242)
  --token TOKEN       a token of the service; better in the environment, as FLAGSTAFF_TOKEN
                      (on this machine, without either: the local token of "npm start")
  -h, --help          this text

Without features, those are exported that are not archived.`;

const options = {
  environment: { type: 'string' },
  project: { type: 'string' },
  tag: { type: 'string' },
  out: { type: 'string' },
  ...serviceOptions,
} as const;

async function exportFile({ values, positionals }: CommandLine<typeof options>): Promise<void> {
  const { environment, project, tag, out } = values;
  if (environment === undefined) throw new UsageError('--environment is required.');
  if (positionals.length > 0 && (project !== undefined || tag !== undefined)) {
    throw new UsageError('Either features, or --project and --tag say what is exported.');
  }
  const service = serviceUrl(values.url);
  const features = positionals.length > 0 ? [...new Set(positionals)] : undefined;
  const source = { service, token: values.token ?? tokenFor(service) };
  const exported = await fetchExport(source, { environment, features, project, tag });
  const text = `${JSON.stringify(exported, undefined, 2)}\n`;
  if (out === undefined) process.stdout.write(text);
  else await writeFile(out, text);
  console.error(`Exported ${exported.features?.length ?? 0} features as they are in "${environment}".`);
}

await runCommand({ name: 'export', help, options, takesArguments: true, run: exportFile });
