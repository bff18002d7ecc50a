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
import { answerInProcess, leaveProcess } from '../../lib/store/client/in-process.ts';
import { describeError, Problem } from '../problem.ts';
import { createDirectory, removeEmpty } from './create-directory.ts';
import { say } from './say.ts';
import { isBusy } from './sqlite/busy.ts';
import type { Durability } from './sqlite/database.ts';
import { openSqliteStore, type SqliteStore } from './sqlite/sqlite-store.ts';

/** The store of this machine, open in this process. */
export interface EmbeddedStore {
  /** The address by which clients in this process find it. */
  readonly address: string;
  /** Lets all reads from now on tell of this moment; nothing can be written any more. */
  hold(): Promise<void>;
  /** Closes it, once. */
  close(): Promise<void>;
  /** Closes it, and removes its folder if it was created for it and no other process has the store open. */
  discard(): Promise<void>;
}

/** The file that keeps the data of the store in a folder. */
export const storeFileIn = (directory: string) => join(directory, 'flagstaff.db');

/** The file of release 0.2 and earlier ones. */
const earlierFileIn = (directory: string) => join(directory, 'store.db');

/** SQLite opens no file with a longer path. */
const pathBytesMax = 504;

/** Tells whether a folder has a store. */
export const hasStore = (directory: string) =>
  existsSync(storeFileIn(directory)) || existsSync(earlierFileIn(directory));

/**
 * Opens the store that keeps its data in a folder, which is created where it is missing; without one it keeps them in memory.
 * Other processes may have it open as well. What release 0.2 or an earlier one has kept there is taken over, with a line that
 * says so; its file is kept beside the new one, and that release refuses the folder from then on.
 * @throws Problem when a file there cannot be used or is damaged, or when a newer version has written it.
 */
export async function openEmbeddedStore(
  directory: string | undefined,
  durability?: Durability,
): Promise<EmbeddedStore> {
  if (directory === undefined) return reachable('memory:', await openSqliteStore(undefined), () => {});
  let created: readonly string[] = [];
  try {
    const place = storeFileIn(directory);
    if (Buffer.byteLength(resolve(place)) > pathBytesMax)
      throw new Error(`its path has more than ${pathBytesMax} bytes`);
    created = createDirectory(directory);
    // Hashes of secrets are in it. What SQLite puts beside it gets the same rights.
    if (!existsSync(place)) closeSync(openSync(place, 'a', 0o600));
    // SQLite would open a file that it may only read, and fail at the first change.
    accessSync(place, constants.R_OK | constants.W_OK);
    // Where it is a link, SQLite works beside what that leads to.
    const file = realpathSync(place);
    const earlier = earlierFileIn(directory);
    const store = await openSqliteStore(file, { durability, earlier: existsSync(earlier) ? earlier : undefined });
    keepAside(directory);
    return reachable(pathToFileURL(file).href, store, () => remove(directory, created));
  } catch (error) {
    remove(directory, created);
    throw new Problem(`The store in DATA_DIR "${directory}" cannot be opened: ${describeError(error)}`);
  }
}

function reachable(address: string, sqlite: SqliteStore, removeFolder: () => void): EmbeddedStore {
  const store: SqliteStore = {
    ...sqlite,
    // A client in this process sends each transaction once, so that the store need not remember it by its token.
    answer: (operation, input, options) =>
      sqlite.answer(operation, { ...input, ClientRequestToken: undefined }, options),
  };
  answerInProcess(address, store);
  let closing: Promise<void> | undefined;
  function close(): Promise<void> {
    leaveProcess(address, store);
    closing ??= store.close();
    return closing;
  }
  return {
    address,
    hold: () => store.hold(),
    close,
    async discard() {
      await close();
      removeFolder();
    },
  };
}

/** Keeps the file of an earlier release under another name, once it was taken over, and that release off the folder. */
function keepAside(directory: string): void {
  const [earlier, aside] = [earlierFileIn(directory), join(directory, 'store-0.2.db')];
  const wasThere = existsSync(aside);
  if (wasThere && existsSync(earlier)) {
    say(
      `${earlier} is not read: release 0.2 has run on ${directory} since its store was taken over. What it changed is there alone.`,
      'WARN',
    );
  }
  if (!wasThere && isRenamed(earlier, aside)) {
    say(
      `The store of release 0.2 was taken over into ${storeFileIn(directory)}. Its file is kept as ${aside}; release 0.2 does not start on ${directory} any more.`,
      'WARN',
    );
  }
  const lock = join(directory, 'lock');
  const isEmpty = !statSync(lock, { throwIfNoEntry: false })?.size;
  if (existsSync(aside) && isEmpty) writeFileSync(lock, refusal, { mode: 0o600 });
}

/**
 * Release 0.2 opens this file as a database before all else, and does not start where it cannot. It would begin another store,
 * which is empty.
 */
const refusal = `Flagstaff keeps the store of this folder in flagstaff.db. This file keeps release 0.2 from beginning an empty store beside it.
To go back to release 0.2, and to what it had kept: stop Flagstaff, move flagstaff.db, flagstaff.db-wal and flagstaff.db-shm
elsewhere, rename store-0.2.db to store.db, and delete this file.
`;

/** @returns false where another process was faster, or there is no such file. */
function isRenamed(file: string, as: string): boolean {
  try {
    renameSync(file, as);
    return true;
  } catch (error) {
    if (existsSync(file)) throw error;
    return false;
  }
}

/** Removes the folders that were created for a store, with its files, unless another process has it open. */
function remove(directory: string, created: readonly string[]): void {
  if (!created.includes(directory)) return;
  try {
    whileAlone(directory, () => {
      for (const file of readdirSync(directory)) rmSync(join(directory, file));
    });
  } catch {
    return;
  }
  removeEmpty(created);
}

/** Tells whether another process has the store in a folder open. */
export function isOpenElsewhere(directory: string): boolean {
  if (!existsSync(storeFileIn(directory))) return false;
  try {
    whileAlone(directory, () => {});
    return false;
  } catch (error) {
    return isBusy(error);
  }
}

/** @throws Error while another process has the store open. */
function whileAlone(directory: string, action: () => void): void {
  using alone = new DatabaseSync(storeFileIn(directory), { timeout: 0 });
  alone.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  action();
}
