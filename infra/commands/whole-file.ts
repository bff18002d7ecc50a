import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readdirSync, readSync, rmSync, statSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Problem } from '../problem.ts';

/** Age at which a draft counts as abandoned by its process. */
const abandonedMs = 60 * 60 * 1_000;

/** The beginning of each file of SQLite. */
const databaseBegins = 'SQLite format 3\0';

/**
 * Refuses to replace a store: SQLite would write its log into the file that takes its place.
 * @throws Problem for a file that is a database.
 */
export function assertNoStore(file: string): void {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return;
  const begins = Buffer.alloc(databaseBegins.length);
  const opened = openSync(file, 'r');
  readSync(opened, begins);
  closeSync(opened);
  if (begins.toString() === databaseBegins)
    throw new Problem(`${file} cannot be written: it is a store, which would be lost.`);
}

/**
 * Writes a file to a draft beside it, and renames that once it is complete. Drafts that killed processes have left are removed.
 * @param write writes the draft, and never pauses for an hour.
 * @throws Problem for a place where a store is.
 */
export async function writeWhole<T>(file: string, write: (draft: string) => Promise<T>): Promise<T> {
  assertNoStore(file);
  removeAbandoned(file);
  // Of its own, since another process may write the same file.
  const draft = `${file}.${randomUUID()}`;
  using _signals = removedOnSignals(draft);
  try {
    const written = await write(draft);
    await rename(draft, file);
    return written;
  } finally {
    await rm(draft, { force: true });
  }
}

function removeAbandoned(file: string): void {
  const [folder, name] = [dirname(file), basename(file)];
  for (const each of readdirSync(folder)) {
    if (!each.startsWith(`${name}.`) || !/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(each.slice(name.length + 1))) {
      continue;
    }
    const draft = join(folder, each);
    const { mtimeMs = Date.now() } = statSync(draft, { throwIfNoEntry: false }) ?? {};
    if (mtimeMs < Date.now() - abandonedMs) rmSync(draft, { force: true });
  }
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
