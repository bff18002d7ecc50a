import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { registerInProcessStore, removeInProcessStore } from '../../lib/store/client/in-process.ts';
import { describeError, Problem } from '../problem.ts';
import { createDirectory, removeEmpty } from './create-directory.ts';
import { say } from './say.ts';
import { isBusy } from './sqlite/busy.ts';
import type { Durability } from './sqlite/database.ts';
import { openSqliteStore, type SqliteStore } from './sqlite/sqlite-store.ts';

/** A local store that is open in this process. */
export interface EmbeddedStore {
  /** The address for clients in this process. */
  readonly address: string;
  /** Makes all later reads see the store as it is now. Writing is no longer possible. */
  freeze(): Promise<void>;
  /** Returns a number that another process changes with each of its commits. */
  readVersion(): number;
  /** Closes the store. Further calls do nothing. */
  close(): Promise<void>;
  /** Closes the store. Removes its folder if that was created for it, and no other process has the store open. */
  discard(): Promise<void>;
}

/** Returns the path of the store's file in a folder. */
export const storeFileIn = (directory: string) => join(directory, 'flagstaff.db');

/** Returns the path of the file of release 0.2 and earlier ones. */
const earlierFileIn = (directory: string) => join(directory, 'store.db');

/** SQLite cannot open a file with a longer path. */
const maxPathBytes = 504;

/** Returns true if a folder contains a store. */
export const hasStore = (directory: string) =>
  existsSync(storeFileIn(directory)) || existsSync(earlierFileIn(directory));

/**
 * Opens the store in a folder, and creates a missing folder. Without a folder, the store is in memory. Other processes may have it
 * open at the same time. If the folder has a store of release 0.2 or earlier, its data are copied, its file is renamed, and a message
 * says so. The earlier release then refuses to start in the folder.
 * @throws Problem if a file cannot be used, is damaged, or was written by a newer version.
 */
export async function openEmbeddedStore(
  directory: string | undefined,
  durability?: Durability,
): Promise<EmbeddedStore> {
  if (directory === undefined) return connect('memory:', await openSqliteStore(undefined), () => {});
  let created: readonly string[] = [];
  try {
    const path = storeFileIn(directory);
    if (Buffer.byteLength(resolve(path)) > maxPathBytes)
      throw new Error(`its path has more than ${maxPathBytes} bytes`);
    created = createDirectory(directory);
    // It contains hashes of secrets. SQLite gives its other files the same permissions.
    if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
    // SQLite would open a read-only file, and fail at the first change.
    accessSync(path, constants.R_OK | constants.W_OK);
    // SQLite puts its other files next to the target of a link.
    const file = realpathSync(path);
    const earlier = earlierFileIn(directory);
    const store = await openSqliteStore(file, { durability, earlier: existsSync(earlier) ? earlier : undefined });
    renameEarlierFile(directory);
    return connect(pathToFileURL(file).href, store, () => remove(directory, created));
  } catch (error) {
    remove(directory, created);
    throw new Problem(`The store in DATA_DIR "${directory}" cannot be opened: ${describeError(error)}`);
  }
}

function connect(address: string, sqlite: SqliteStore, removeFolder: () => void): EmbeddedStore {
  const store: SqliteStore = {
    ...sqlite,
    // A client in this process sends each transaction once, so the store need not remember the token that prevents repetitions.
    answer: (operation, input, options) =>
      sqlite.answer(operation, { ...input, ClientRequestToken: undefined }, options),
  };
  registerInProcessStore(address, store);
  let closing: Promise<void> | undefined;
  function close(): Promise<void> {
    removeInProcessStore(address, store);
    closing ??= store.close();
    return closing;
  }
  return {
    address,
    freeze: () => store.freeze(),
    readVersion: () => store.readVersion(),
    close,
    async discard() {
      await close();
      removeFolder();
    },
  };
}

/** Renames the file of an earlier release after its data were copied, and makes that release refuse the folder. */
function renameEarlierFile(directory: string): void {
  const [earlier, renamed] = [earlierFileIn(directory), join(directory, 'store-0.2.db')];
  const wasRenamed = existsSync(renamed);
  if (wasRenamed && existsSync(earlier)) {
    say(
      `${earlier} is ignored: release 0.2 ran on ${directory} after its data had been moved to flagstaff.db. Only the old file has its later changes.`,
      'WARN',
    );
  }
  if (!wasRenamed && tryRename(earlier, renamed)) {
    say(
      `The data of release 0.2 were moved to ${storeFileIn(directory)}. The old file was renamed to ${renamed}. Release 0.2 no longer starts with ${directory}.`,
      'WARN',
    );
  }
  const lock = join(directory, 'lock');
  const isEmpty = !statSync(lock, { throwIfNoEntry: false })?.size;
  if (existsSync(renamed) && isEmpty) writeFileSync(lock, refusal, { mode: 0o600 });
}

/**
 * Release 0.2 opens the file `lock` as a database first, and does not start if that fails. Otherwise it would create another, empty
 * store.
 */
const refusal = `Flagstaff keeps the data of this folder in flagstaff.db. This file prevents release 0.2 from creating an empty store next to it.
To go back to release 0.2 and its data: stop Flagstaff, move flagstaff.db, flagstaff.db-wal and flagstaff.db-shm
to another folder, rename store-0.2.db to store.db, and delete this file.
`;

/** Renames a file. @returns false if it does not exist, because another process was faster or it never did. */
function tryRename(file: string, target: string): boolean {
  try {
    renameSync(file, target);
    return true;
  } catch (error) {
    if (existsSync(file)) throw error;
    return false;
  }
}

/** Removes the folders that were created for a store, with its files, unless another process has the store open. */
function remove(directory: string, created: readonly string[]): void {
  if (!created.includes(directory)) return;
  try {
    withExclusiveAccess(directory, () => {
      for (const file of readdirSync(directory)) rmSync(join(directory, file));
    });
  } catch {
    return;
  }
  removeEmpty(created);
}

/** Returns true if another process has the store in a folder open. */
export function isOpenElsewhere(directory: string): boolean {
  if (!existsSync(storeFileIn(directory))) return false;
  try {
    withExclusiveAccess(directory, () => {});
    return false;
  } catch (error) {
    return isBusy(error);
  }
}

/** Calls an action with exclusive access to the store. @throws Error while another process has the store open. */
function withExclusiveAccess(directory: string, action: () => void): void {
  using database = new DatabaseSync(storeFileIn(directory), { timeout: 0 });
  database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  action();
}
