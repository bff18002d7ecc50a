import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readdirSync, readSync, rmSync, statSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Problem } from '../problem.ts';

/** The age at which a draft counts as left behind by a killed process. */
const abandonedMs = 60 * 60 * 1_000;

/** The first bytes of an SQLite file. */
const databaseHeader = 'SQLite format 3\0';

/**
 * Refuses to replace a store: SQLite would go on writing its log, which then belongs to another file.
 * @throws Problem if the file is a database.
 */
export function assertNoStore(file: string): void {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return;
  const header = Buffer.alloc(databaseHeader.length);
  const descriptor = openSync(file, 'r');
  readSync(descriptor, header);
  closeSync(descriptor);
  if (header.toString() === databaseHeader)
    throw new Problem(`${file} cannot be written: it is a store, which would be lost.`);
}

/**
 * Writes a draft next to a file, and renames it to the file when it is complete. Removes drafts that killed processes left behind.
 * @param write writes the draft. It must not pause for an hour.
 * @throws Problem if the file is a store.
 */
export async function writeWhole<T>(file: string, write: (draft: string) => Promise<T>): Promise<T> {
  assertNoStore(file);
  removeAbandoned(file);
  // The name is unique, since another process may write the same file.
  const draft = `${file}.${randomUUID()}`;
  using _signals = removeOnSignals(draft);
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
  for (const entry of readdirSync(folder)) {
    if (
      !entry.startsWith(`${name}.`) ||
      !/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(entry.slice(name.length + 1))
    ) {
      continue;
    }
    const draft = join(folder, entry);
    const { mtimeMs = Date.now() } = statSync(draft, { throwIfNoEntry: false }) ?? {};
    if (mtimeMs < Date.now() - abandonedMs) rmSync(draft, { force: true });
  }
}

/** Removes a file if a signal ends the process, until it is disposed of. */
function removeOnSignals(file: string): Disposable {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const end = (signal: NodeJS.Signals) => {
    rmSync(file, { force: true });
    process.kill(process.pid, signal);
  };
  for (const signal of signals) process.once(signal, end);
  return { [Symbol.dispose]: () => signals.forEach((signal) => void process.off(signal, end)) };
}
