import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Problem, wordsOf } from '../problem.ts';
import { createDirectory } from './create-directory.ts';

/** SQLite's code for a file that somebody else has locked. */
const busy = 5;

/** Keeps everybody else off a folder until it is given back, or this process is gone, however that happens. */
export interface DataLock {
  release(): void;
}

/**
 * Takes a folder, which is created where it is missing. The lock is one of the operating system's, held by SQLite, so
 * that a crash leaves none behind.
 * @throws Problem when another process has the folder, or when it cannot be written to.
 */
export function lockDirectory(directory: string): DataLock {
  try {
    createDirectory(directory);
    const database = new DatabaseSync(join(directory, 'lock'), { timeout: 0 });
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    return { release: () => database.close() };
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && error.errcode === busy) {
      throw new Problem(`DATA_DIR "${directory}" is in use by another process; stop that one or name another folder.`);
    }
    throw new Problem(`DATA_DIR "${directory}" cannot be written to: ${wordsOf(error)}`);
  }
}
