import { realpathSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { type CommandLine, formatCount, runCommand, UsageError } from './command.ts';
import { fetchExport } from './fetch-export.ts';
import { assertAnswers, serviceOptions, serviceUrl, tokenFor } from './service.ts';
import { writeWhole } from './whole-file.ts';

const help = `Exports features through the API, in the format of Unleash: their configuration in an environment, and everything that an import
of them needs. There is no limit to their number.

  npm run --silent export -- [FEATURE ...] --environment ENVIRONMENT [options]

  --project PROJECT   exports the features of a project, if no FEATURE is named
  --tag TAG           exports the features with a tag (value or type:value), if no FEATURE is named; can be combined with --project
  --out FILE          writes to a file instead of stdout
  --url URL           the address of the service (default: http://localhost:PORT, where PORT is 4242 unless set)
  --token TOKEN       a token of the service; safer in the environment variable FLAGSTAFF_TOKEN
                      (default for a service on this machine: the local token of "npm start")
  -h, --help          this text

Without FEATURE, --project and --tag, it exports all features that are not archived.`;

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
    throw new UsageError('Name features, or use --project and --tag, but not both.');
  }
  const service = serviceUrl(values.url);
  const features = positionals.length > 0 ? [...new Set(positionals)] : undefined;
  const source = { service, token: values.token ?? tokenFor(service) };
  await assertAnswers(service);
  const content = await fetchExport(source, { environment, features, project, tag });
  const text = `${JSON.stringify(content, undefined, 2)}\n`;
  if (out === undefined) process.stdout.write(text);
  else await writeOutput(out, text);
  console.error(
    `Exported ${formatCount(content.features?.length ?? 0, 'feature')}, with the strategies of "${environment}".`,
  );
}

/** The permissions of a new file. Values of constraints may identify people, so only the owner may read it. */
const ownerOnly = 0o600;

/** Replaces a file, or the file that a link leads to, and keeps its permissions. Writes to anything else, such as a pipe. */
async function writeOutput(file: string, text: string): Promise<void> {
  const existing = statSync(file, { throwIfNoEntry: false });
  if (existing?.isFile() === false) return writeFile(file, text);
  const [target, mode] = existing === undefined ? [file, ownerOnly] : [realpathSync(file), existing.mode & 0o777];
  return writeWhole(target, (draft) => writeFile(draft, text, { flush: true, mode }));
}

await runCommand({ name: 'export', help, options, takesArguments: true, run: exportFile });
