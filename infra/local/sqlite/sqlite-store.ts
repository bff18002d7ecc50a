import type { InProcessStore, StoreAnswer } from '../../../lib/store/client/in-process.ts';
import { isBusy, isDamage, whenFree } from './busy.ts';
import { Database, type Durability } from './database.ts';
import { Operations } from './operations.ts';
import { fileDamageError, StoreError } from './store-error.ts';
import { takeOver } from './take-over.ts';

/** A store inside this process. It answers when what a request has written, or read, is kept. */
export interface SqliteStore extends InProcessStore {
  /** Lets all answers from now on tell of this moment, whatever other processes write; it takes no writes any more. */
  hold(): Promise<void>;
  close(): Promise<void>;
}

interface StoreOptions {
  /** The default is `sync`. */
  readonly durability?: Durability | undefined;
  /** A file of release 0.2 or before, whose tables an empty store takes over. */
  readonly earlier?: string | undefined;
}

/** Another process may take an earlier file over in this time. */
const openingMs = 60_000;
/** A transaction takes milliseconds, and the client asks only once. */
const patienceMs = 3_000;
const expiryMs = 60_000;
/** So many take two milliseconds. */
const expiredMost = 100;

/**
 * Opens a store, whose file other processes may have open as well.
 * @param file keeps its data; undefined keeps them in memory only.
 * @throws Error when a file is no database, damaged, or written by a newer version.
 */
export async function openSqliteStore(
  file: string | undefined,
  { durability = 'sync', earlier }: StoreOptions = {},
): Promise<SqliteStore> {
  const database = await whenFree(() => new Database(file, durability), openingMs);
  if (earlier !== undefined) await takeOverOnce(database, earlier);
  let operations = new Operations(database);
  let damage: StoreError | undefined;

  function refusal(error: unknown): StoreAnswer {
    if (!isDamage(error)) return answerOf(refusalFor(error));
    damage = reasonOf(error);
    return answerOf(damage);
  }

  /** Returns the reason of a damage: the state of the files, where that explains it, otherwise the words of SQLite. */
  function reasonOf(error: unknown): StoreError {
    try {
      database.assertInPlace();
    } catch (reason) {
      if (reason instanceof StoreError) return reason;
    }
    return fileDamageError(file, error);
  }

  async function outcomeOf(operation: string, input: object, mayBeLost?: boolean): Promise<StoreAnswer> {
    try {
      const carryOut = () => operations.carryOut(operation, input, mayBeLost);
      return { status: 200, body: await whenFree(carryOut, patienceMs) };
    } catch (error) {
      return refusal(error);
    }
  }

  async function removeExpired(): Promise<void> {
    const second = Math.floor(Date.now() / 1000);
    const remove = () => database.removeExpired(second, expiredMost);
    const removed = await whenFree(() => database.writing(remove), patienceMs);
    await database.kept();
    if (removed === expiredMost) await removeExpired();
  }

  // What fails for now is tried again.
  const timer = setInterval(() => void removeExpired().catch(() => {}), expiryMs).unref();
  return {
    async answer(operation, input, { mayBeLost, isEarly } = {}) {
      const answer = await outcomeOf(operation, input, mayBeLost);
      const kept = await (isEarly ? database.committed() : database.kept()).then(() => answer, refusal);
      // What it knows of tables and transactions may be of a commit that has failed.
      if (kept !== answer || kept.status >= 500) operations = new Operations(database);
      return kept;
    },
    awaitDurable: () => database.flushed(),
    assertSound() {
      if (damage !== undefined) throw damage;
      database.assertInPlace();
    },
    async hold() {
      clearInterval(timer);
      await database.kept();
      await whenFree(() => database.hold(), patienceMs);
    },
    async close() {
      clearInterval(timer);
      await database.close();
    },
  };
}

async function takeOverOnce(database: Database, earlier: string): Promise<void> {
  try {
    await whenFree(() => database.writing(() => takeOver(database, earlier)), openingMs);
    await database.kept();
  } catch (error) {
    await database.close();
    throw error;
  }
}

function refusalFor(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  // What is missing was looked for in what is missing.
  if (error instanceof TypeError) {
    return new StoreError('SerializationException', 'The request does not have the form of its operation.');
  }
  if (isBusy(error)) return new StoreError('ThrottlingException', 'Another process has locked the store.');
  return new StoreError('InternalServerError', error instanceof Error ? error.message : String(error), {}, 500);
}

function answerOf({ name, message, status, details }: StoreError): StoreAnswer {
  const type = `com.amazonaws.dynamodb.v20120810#${name}`;
  return { status, body: { __type: type, message, ...details } };
}
