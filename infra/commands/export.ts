import { realpathSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { type CommandLine, formatCount, runCommand, UsageError } from './command.ts';
import { fetchExport } from './fetch-export.ts';
import { assertAnswers, serviceOptions, serviceUrl, tokenFor } from './service.ts';
import { writeWhole } from './whole-file.ts';

const help = `Exports any number of features through the API, as Unleash does: their configuration in an environment, with all that an
import of them needs.

  npm run --silent export -- [FEATURE ...] --environment ENVIRONMENT [options]

  --project PROJECT   the features of a project, if none are named
  --tag TAG           those with a tag (value or type:value), if none are named; of a project with --project
  --out FILE          the file to write (stdout)
  --url URL           the address of the service (http://localhost:PORT, where PORT is 4242 unless set)
  --token TOKEN       a token of the service; better in the environment, as FLAGSTAFF_TOKEN
                      (on this machine, without either: the local token of "npm start")
  -h, --help          this text

Without features, --project and --tag, all features that are not archived are exported.`;

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
  await assertAnswers(service);
  const exported = await fetchExport(source, { environment, features, project, tag });
  const text = `${JSON.stringify(exported, undefined, 2)}\n`;
  if (out === undefined) process.stdout.write(text);
  else await writeOut(out, text);
  console.error(
    `Exported ${formatCount(exported.features?.length ?? 0, 'feature')}, with the strategies of "${environment}".`,
  );
}

/** The rights of a new file: values of constraints may name people. */
const ownerAlone = 0o600;

/** Replaces a file, which a link may lead to, under its own rights; what is no file, such as a pipe, is written to. */
async function writeOut(file: string, text: string): Promise<void> {
  const earlier = statSync(file, { throwIfNoEntry: false });
  if (earlier?.isFile() === false) return writeFile(file, text);
  const [place, mode] = earlier === undefined ? [file, ownerAlone] : [realpathSync(file), earlier.mode & 0o777];
  return writeWhole(place, (draft) => writeFile(draft, text, { flush: true, mode }));
}

await runCommand({ name: 'export', help, options, takesArguments: true, run: exportFile });
