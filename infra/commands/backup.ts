import { accessSync, constants, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { writeBackup } from '../../lib/backup/backup-file.ts';
import { copyStore } from '../../lib/backup/copy-store.ts';
import { WorkingCopy } from '../../lib/backup/working-copy.ts';
import { version } from '../../lib/http/version.ts';
import { loadLayoutNumber } from '../../lib/migrations/migrate.ts';
import { describeError, Problem } from '../problem.ts';
import { type CommandLine, runCommand, UsageError } from './command.ts';
import { startProgress } from './progress.ts';
import { storeHelp, withStore } from './store.ts';
import { assertNoStore, writeWhole } from './whole-file.ts';

const help = `Keeps all that a store holds in one file, while the service runs.

  npm run backup -- --to FILE

  --to FILE    the file, which is replaced once the new one is complete
  -h, --help   this text

"npm run restore" puts it into a store of the same or a newer release, on this machine or deployed. The file has the hashes
of tokens and passwords, by which these go on working, and of secrets only those of frontend tokens, which are public. What
has to be set again after a restore is listed. Beside FILE, it takes as much room on the disk as the store does.

${storeHelp}`;

const options = { to: { type: 'string' } } as const;

async function backup({ values: { to } }: CommandLine<typeof options>): Promise<void> {
  if (!to) throw new UsageError('--to is required.');
  assertWritable(to);
  // Before the store is read.
  assertNoStore(to);
  // Where SQLite has the copy, from its first database on: the place for temporary files may be small.
  process.env.SQLITE_TMPDIR ??= dirname(to);
  await withStore(
    async (table) => {
      const layout = await loadLayoutNumber(table);
      using copy = new WorkingCopy();
      await copyStore(table, copy, startProgress);
      const { items, sha256 } = await writeWhole(to, (draft) =>
        writeBackup(draft, copy, { version, layout }, startProgress),
      );
      console.log(`Kept ${items.toLocaleString('en-US')} items in ${to} (SHA-256 of the content: ${sha256}).`);
      for (const omission of copy.omissions) console.error(`Not in the file: ${omission}.`);
    },
    { isHeld: true },
  );
}

/** @throws Problem for a place where no file can be. */
function assertWritable(file: string): void {
  try {
    if (statSync(file, { throwIfNoEntry: false })?.isFile() === false) throw new Error('it is there, and no file');
    accessSync(dirname(file), constants.W_OK);
  } catch (error) {
    throw new Problem(`${file} cannot be written: ${describeError(error)}`);
  }
}

await runCommand({ name: 'backup', help, options, run: backup });
