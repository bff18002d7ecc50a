import { ApiError } from '../../lib/errors.ts';
import type { Added } from '../../lib/imports/seed/kinds.ts';
import { seedStore } from '../../lib/imports/seed/seed-store.ts';
import { migrate } from '../../lib/migrations/migrate.ts';
import { problemsIn } from '../problem.ts';
import { readSeedFile } from '../read-seed-file.ts';
import { type CommandLine, runCommand, UsageError } from './command.ts';
import { storeHelp, withStore } from './store.ts';

const help = `Adds the entries of a seed file that the store lacks, and leaves existing ones unchanged.

  npm run seed -- FILE.json     (-h, --help: this text)

infra/commands/README.md describes the file. If it has errors, the command lists all of them and writes nothing.

${storeHelp}`;

async function seed({ positionals }: CommandLine<Record<string, never>>): Promise<void> {
  const [file] = positionals;
  if (file === undefined || positionals.length > 1) throw new UsageError('Exactly one seed file is required.');
  const content = await readSeedFile(file);
  for (const note of content.notes) console.error(`${file}: ${note}`);
  const { added } = await withStore(async (table) => {
    await migrate(table);
    return seedStore(table, content);
  }).catch((error) => {
    throw error instanceof ApiError && error.name === 'ValidationError' ? problemsIn(file, error) : error;
  });
  console.log(added.length === 0 ? 'Nothing was missing.' : summarize(added));
}

/** Returns a line for each kind, such as "Added environment: staging, qa". */
function summarize(added: readonly Added[]): string {
  const kinds = Map.groupBy(added, ({ kind }) => kind);
  return [...kinds]
    .map(([kind, additions]) => `Added ${kind}: ${additions.map(({ name }) => name).join(', ')}`)
    .join('\n');
}

await runCommand({ name: 'seed', help, takesArguments: true, run: seed });
