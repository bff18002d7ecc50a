import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Problem, wordsOf } from '../problem.ts';
import { createDirectory, removeEmpty } from './create-directory.ts';
import { readRunning } from './running.ts';

/** SQLite's code for a file that another process has locked. */
const busy = 5;

/** Keeps all other processes off a folder until it is released, or this process is gone, however that happens. */
export interface DataLock {
  release(): void;
  /** Releases the folder, and removes it with all that is in it if it was created for this lock. */
  discard(): void;
}

/**
 * Takes a folder, which is created where it is missing. The lock is one of the operating system's, held by SQLite, so
 * that a crash leaves none behind.
 * @throws Problem when another process has the folder, or when it cannot be written to.
 */
export function lockDirectory(directory: string): DataLock {
  let created: readonly string[] = [];
  try {
    created = createDirectory(directory);
    const database = new DatabaseSync(join(directory, 'lock'), { timeout: 0 });
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    return {
      release: () => database.close(),
      discard() {
        // As long as the lock is held, no other process has put anything there.
        if (created.includes(directory)) for (const file of readdirSync(directory)) rmSync(join(directory, file));
        database.close();
        removeEmpty(created);
      },
    };
  } catch (error) {
    removeEmpty(created);
    if (error instanceof Error && 'errcode' in error && error.errcode === busy) throw inUse(directory);
    throw new Problem(`DATA_DIR "${directory}" cannot be written to: ${wordsOf(error)}`);
  }
}

function inUse(directory: string): Problem {
  const running = readRunning(directory);
  if (running === undefined) {
    return new Problem(`DATA_DIR "${directory}" is in use by another process; stop that one or name another folder.`);
  }
  const port = Number(new URL(running.url).port || 80) + 1;
  return new Problem(
    `DATA_DIR "${directory}" is in use: Flagstaff already serves ${running.url} from it. To run another one beside it: PORT=${port} DATA_DIR=${directory}2 npm start`,
  );
}
