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

const help = `Saves the content of a store to one file, while the service runs.

  npm run backup -- --to FILE

  --to FILE    the backup file; an existing file is replaced when the new one is complete
  -h, --help   this text

"npm run restore" restores it into a store of the same or a newer release, local or deployed. The file contains the hashes of
tokens and passwords, so they stay valid. It contains no secrets except those of frontend tokens, which are public. The command
lists what you have to set again after a restore. It needs twice the size of the store as free space in the folder of FILE.

${storeHelp}`;

const options = { to: { type: 'string' } } as const;

async function backup({ values: { to } }: CommandLine<typeof options>): Promise<void> {
  if (!to) throw new UsageError('--to is required.');
  assertWritable(to);
  // Checked before the store is read.
  assertNoStore(to);
  // SQLite's temporary copy goes to the folder of the backup: the default folder for temporary files may be too small.
  process.env.SQLITE_TMPDIR ??= dirname(to);
  await withStore(
    async (table) => {
      const layout = await loadLayoutNumber(table);
      using copy = new WorkingCopy();
      await copyStore(table, copy, startProgress);
      const { items, sha256 } = await writeWhole(to, (draft) =>
        writeBackup(draft, copy, { version, layout }, startProgress),
      );
      console.log(`Saved ${items.toLocaleString('en-US')} items to ${to} (SHA-256 of the content: ${sha256}).`);
      for (const omission of copy.omissions) console.error(`Not in the file: ${omission}.`);
    },
    { isSnapshot: true },
  );
}

/** @throws Problem if no file can be written there. */
function assertWritable(file: string): void {
  try {
    if (statSync(file, { throwIfNoEntry: false })?.isFile() === false) throw new Error('it exists, and is not a file');
    accessSync(dirname(file), constants.W_OK);
  } catch (error) {
    throw new Problem(`${file} cannot be written: ${describeError(error)}`);
  }
}

await runCommand({ name: 'backup', help, options, run: backup });
