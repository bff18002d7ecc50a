import { randomUUID } from 'node:crypto';
import { rmSync, statSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { writeBackup } from '../../lib/backup/backup-file.ts';
import { copyStore } from '../../lib/backup/read-store.ts';
import { WorkingCopy } from '../../lib/backup/working-copy.ts';
import { version } from '../../lib/http/version.ts';
import { layoutOf } from '../../lib/migrations/migrate.ts';
import { Problem, wordsOf } from '../problem.ts';
import { type CommandLine, runCommand, UsageError } from './command.ts';
import { startProgress } from './progress.ts';
import { storeHelp, withStore } from './store.ts';

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
  await withStore(
    async (table) => {
      const layout = await layoutOf(table);
      // Of its own, since another backup to the same file may be under way.
      const draft = `${to}.${randomUUID()}`;
      using _signals = removedOnSignals(draft);
      try {
        using copy = copyBeside(to);
        await copyStore(table, copy, startProgress);
        const { items, sha256 } = await writeBackup(draft, copy, { version, layout }, startProgress);
        await rename(draft, to);
        console.log(`Kept ${items.toLocaleString('en-US')} items in ${to} (SHA-256 of the content: ${sha256}).`);
        for (const lack of copy.lacks) console.error(`Not in the file: ${lack}.`);
      } finally {
        await rm(draft, { force: true });
      }
    },
    { isHeld: true },
  );
}

/** Removes a file where a signal ends the process, until it is disposed of. */
function removedOnSignals(file: string): Disposable {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const end = (signal: NodeJS.Signals) => {
    rmSync(file, { force: true });
    process.kill(process.pid, signal);
  };
  for (const signal of signals) process.once(signal, end);
  return { [Symbol.dispose]: () => signals.forEach((signal) => void process.off(signal, end)) };
}

function copyBeside(file: string): WorkingCopy {
  try {
    if (statSync(file, { throwIfNoEntry: false })?.isFile() === false) throw new Error('it is there, and no file');
    return new WorkingCopy(dirname(file));
  } catch (error) {
    throw new Problem(`${file} cannot be written: ${wordsOf(error)}`);
  }
}

await runCommand({ name: 'backup', help, options, run: backup });
