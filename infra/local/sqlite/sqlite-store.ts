import type { InProcessStore, StoreAnswer } from '../../../lib/store/client/in-process.ts';
import { isBusy, isDamage, retryWhileBusy } from './busy.ts';
import { Database, type Durability } from './database.ts';
import { Operations } from './operations.ts';
import { fileDamageError, StoreError } from './store-error.ts';
import { takeOver } from './take-over.ts';

/** A store in this process. It answers a request after everything that the request has written or read is on disk. */
export interface SqliteStore extends InProcessStore {
  /** Makes all later reads see the store as it is now, regardless of other processes. Writing is no longer possible. */
  freeze(): Promise<void>;
  /** Returns a number that another process changes with each of its commits. */
  readVersion(): number;
  close(): Promise<void>;
}

interface StoreOptions {
  /** The default is `sync`. */
  readonly durability?: Durability | undefined;
  /** A file of release 0.2 or earlier, whose tables are copied into an empty store. */
  readonly earlier?: string | undefined;
}

/** Another process may need this time to copy the file of an earlier release. */
const openingMs = 60_000;
/** A transaction of another process takes only milliseconds. The client does not retry. */
const maxWaitMs = 3_000;
const expiryMs = 60_000;
/** The maximum number of expired items per transaction. Their removal takes two milliseconds. */
const maxExpired = 100;

/**
 * Opens a store. Other processes may have its file open at the same time.
 * @param file the path of the file; undefined for a store in memory.
 * @throws Error if a file is not a database, is damaged, or was written by a newer version.
 */
export async function openSqliteStore(
  file: string | undefined,
  { durability = 'sync', earlier }: StoreOptions = {},
): Promise<SqliteStore> {
  const database = await retryWhileBusy(() => new Database(file, durability), openingMs);
  if (earlier !== undefined) await copyEarlierFile(database, earlier);
  let operations = new Operations(database);
  let damage: StoreError | undefined;

  function refuse(error: unknown): StoreAnswer {
    if (!isDamage(error)) return answerOf(toStoreError(error));
    damage = explainDamage(error);
    return answerOf(damage);
  }

  /** Returns the state of the files if it explains the damage, and otherwise the error of SQLite. */
  function explainDamage(error: unknown): StoreError {
    try {
      database.assertInPlace();
    } catch (cause) {
      if (cause instanceof StoreError) return cause;
    }
    return fileDamageError(file, error);
  }

  async function carryOut(operation: string, input: object, mayBeLost?: boolean): Promise<StoreAnswer> {
    try {
      const action = () => operations.carryOut(operation, input, mayBeLost);
      return { status: 200, body: await retryWhileBusy(action, maxWaitMs) };
    } catch (error) {
      return refuse(error);
    }
  }

  async function removeExpired(): Promise<void> {
    const second = Math.floor(Date.now() / 1000);
    const remove = () => database.removeExpired(second, maxExpired);
    const removed = await retryWhileBusy(() => database.write(remove), maxWaitMs);
    await database.commitAndFlush();
    if (removed === maxExpired) await removeExpired();
  }

  // After an error, the next run tries again.
  const timer = setInterval(() => void removeExpired().catch(() => {}), expiryMs).unref();
  return {
    async answer(operation, input, { mayBeLost, isEarly } = {}) {
      const result = await carryOut(operation, input, mayBeLost);
      const answer = await (isEarly ? database.waitForCommit() : database.commitAndFlush()).then(() => result, refuse);
      // The cached tables and transactions may belong to a commit that failed.
      if (answer !== result || answer.status >= 500) operations = new Operations(database);
      return answer;
    },
    awaitDurable: () => database.flush(),
    assertSound() {
      if (damage !== undefined) throw damage;
      database.assertInPlace();
    },
    async freeze() {
      clearInterval(timer);
      await database.commitAndFlush();
      await retryWhileBusy(() => database.freeze(), maxWaitMs);
    },
    readVersion: () => database.readVersion(),
    async close() {
      clearInterval(timer);
      await database.close();
    },
  };
}

async function copyEarlierFile(database: Database, earlier: string): Promise<void> {
  try {
    await retryWhileBusy(() => database.write(() => takeOver(database, earlier)), openingMs);
    await database.commitAndFlush();
  } catch (error) {
    await database.close();
    throw error;
  }
}

function toStoreError(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  // The code has read a member of a missing object.
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
