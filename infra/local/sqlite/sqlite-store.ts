import type { InProcessStore, StoreAnswer } from '../../../lib/store/client/in-process.ts';
import { Database } from './database.ts';
import { Operations } from './operations.ts';
import { badRequest, StoreError } from './store-error.ts';
import { takeOver } from './take-over.ts';

/** A store inside this process. It answers when what a request has written survives a power cut. */
export interface SqliteStore extends InProcessStore {
  close(): void;
}

/**
 * Opens a store.
 * @param file keeps its data; undefined keeps them in memory only.
 * @param earlier a file of release 0.2 or before, whose tables an empty store takes over.
 * @throws Error when a file is no database, damaged, or written by a newer version.
 */
export async function openSqliteStore(file: string | undefined, earlier?: string): Promise<SqliteStore> {
  const database = new Database(file);
  if (earlier !== undefined && database.tables().length === 0) {
    takeOver(database, earlier);
    await database.kept();
  }
  let operations = new Operations(database);
  return {
    async answer(target, body) {
      try {
        const answer = operations.carryOut(target.slice(target.indexOf('.') + 1), inputOf(body));
        await database.kept();
        return { status: 200, body: answer };
      } catch (error) {
        const refused = refusalFor(error);
        // What it knows of tables and transactions may be of a commit that has failed.
        if (refused.status >= 500) operations = new Operations(database);
        return answerOf(refused);
      }
    },
    close: () => database.close(),
  };
}

/** The form in which JSON escapes half of a pair of UTF-16, which is also that of each half of a whole pair. */
const escapedHalf = /\\ud[89a-f]/i;

function inputOf(body: string): unknown {
  try {
    return JSON.parse(body, escapedHalf.test(body) ? withUnicode : undefined);
  } catch (error) {
    if (error instanceof StoreError) throw error;
    throw new StoreError('SerializationException', 'The request is no JSON.');
  }
}

/** A value as it is. No store takes half of a pair alone, and SQLite would make all of them the same. */
function withUnicode(name: string, value: unknown): unknown {
  if (name.isWellFormed() && (typeof value !== 'string' || value.isWellFormed())) return value;
  throw badRequest('The request has text that is not Unicode.');
}

function refusalFor(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  // What is missing was looked for in what is missing.
  if (error instanceof TypeError) {
    return new StoreError('SerializationException', 'The request does not have the form of its operation.');
  }
  return new StoreError('InternalServerError', error instanceof Error ? error.message : String(error), {}, 500);
}

function answerOf({ name, message, status, details }: StoreError): StoreAnswer {
  const type = `com.amazonaws.dynamodb.v20120810#${name}`;
  return { status, body: JSON.stringify({ __type: type, message, ...details }) };
}
