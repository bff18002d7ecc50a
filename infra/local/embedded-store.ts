import { closeSync, existsSync, openSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { Problem, wordsOf } from '../problem.ts';
import { openSqliteStore, type SqliteStore } from './sqlite/sqlite-store.ts';

/** The file that keeps the data of the store in a folder. */
export const storeFileIn = (directory: string) => join(directory, 'flagstaff.db');

/**
 * Opens the store that keeps its data in a folder, which must be this process's alone; without one it keeps them in memory.
 * What release 0.2 or an earlier one has kept there is taken over, and its file is kept beside the new one.
 * @throws Problem when a file there cannot be read or is damaged, or when a newer version has written it.
 */
export async function openEmbeddedStore(directory: string | undefined): Promise<SqliteStore> {
  if (directory === undefined) return openSqliteStore(undefined);
  const file = storeFileIn(directory);
  const earlier = join(directory, 'store.db');
  try {
    // Hashes of secrets are in it. What SQLite puts beside it gets the same rights.
    if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
    const store = await openSqliteStore(file, { earlier: existsSync(earlier) ? earlier : undefined });
    keepAside(earlier, join(directory, 'store-0.2.db'));
    return store;
  } catch (error) {
    throw new Problem(`The store in DATA_DIR "${directory}" cannot be opened: ${wordsOf(error)}`);
  }
}

function keepAside(file: string, as: string): void {
  try {
    renameSync(file, as);
  } catch (error) {
    // Another process may have been faster.
    if (existsSync(file)) throw error;
  }
}
