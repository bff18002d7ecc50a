import { checkBackup } from '../../lib/backup/backup-file.ts';
import { restoreStore } from '../../lib/backup/restore-store.ts';
import { type CommandLine, runCommand, UsageError } from './command.ts';
import { startProgress } from './progress.ts';
import { storeHelp, withStore } from './store.ts';

const help = `Restores a backup of "npm run backup" into a store, and migrates it to the data layout of this release.

  npm run restore -- --from FILE [--replace]

  --from FILE   a backup that "npm run backup" of this or an earlier release has written
  --replace     replaces the content of a store that is in use; without it, only a fresh store is filled
  -h, --help    this text

The whole file is checked before anything is written. If the command is interrupted, run it again with the same file, and it
continues. Until the restore is complete, nobody can sign in, and "npm start", deployments and other commands refuse the store.
Stop "npm start" first: the command refuses a store that another process has open.

${storeHelp}`;

const options = { from: { type: 'string' }, replace: { type: 'boolean', default: false } } as const;

async function restore({ values: { from, replace } }: CommandLine<typeof options>): Promise<void> {
  if (!from) throw new UsageError('--from is required.');
  // The file is checked first, so that no store is created for an invalid file.
  const backup = await checkBackup(from, startProgress);
  await withStore((table) => restoreStore(table, from, backup, { replaces: replace, startProgress }), {
    isToBeFilled: true,
  });
  const { items, header } = backup;
  console.log(`Restored ${items.toLocaleString('en-US')} items, from a backup of release ${header.version}.`);
}

await runCommand({ name: 'restore', help, options, run: restore });
