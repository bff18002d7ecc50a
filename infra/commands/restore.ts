import { checkBackup } from '../../lib/backup/backup-file.ts';
import { restoreStore } from '../../lib/backup/restore-store.ts';
import { type CommandLine, runCommand, UsageError } from './command.ts';
import { startProgress } from './progress.ts';
import { storeHelp, withStore } from './store.ts';

const help = `Fills a store with what "npm run backup" has kept, and brings it to the layout of this release.

  npm run restore -- --from FILE [--replace]

  --from FILE   a file that "npm run backup" of this release or an earlier one has written
  --replace     takes the place of what a store holds that is in use; without it, only a fresh store is filled
  -h, --help    this text

The file is checked as a whole before anything is written. If the command is cut off, run it again with the same file: it
goes on where it was. Until it has come to its end, nobody gets in, and "npm start", a deployment and the other commands
refuse the store. Stop "npm start" first: a store that it has open is refused.

${storeHelp}`;

const options = { from: { type: 'string' }, replace: { type: 'boolean', default: false } } as const;

async function restore({ values: { from, replace } }: CommandLine<typeof options>): Promise<void> {
  if (!from) throw new UsageError('--from is required.');
  // The check comes first, so that no store is created for a bad file.
  const backup = await checkBackup(from, startProgress);
  await withStore((table) => restoreStore(table, from, backup, { replaces: replace, startProgress }), {
    isToBeFilled: true,
  });
  const { items, header } = backup;
  console.log(`Restored ${items.toLocaleString('en-US')} items, from a backup of release ${header.version}.`);
}

await runCommand({ name: 'restore', help, options, run: restore });
