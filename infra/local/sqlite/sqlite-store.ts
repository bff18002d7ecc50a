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
        if (error instanceof StoreError) return refusal(error);
        // What it knows of tables and transactions may be of a commit that has failed.
        operations = new Operations(database);
        return refusal(failure(error));
      }
    },
    close: () => database.close(),
  };
}

/** Half of a pair of UTF-16, as JSON escapes it. No store takes one, and SQLite would make all of them the same. */
const loneSurrogate = /\\ud[89a-f]/i;

function inputOf(body: string): unknown {
  if (loneSurrogate.test(body)) throw badRequest('The request has text that is not Unicode.');
  try {
    return JSON.parse(body);
  } catch {
    throw new StoreError('SerializationException', 'The request is no JSON.');
  }
}

/** A mistake of ours, or of the disk. */
function failure(error: unknown): StoreError {
  const message = error instanceof Error ? error.message : String(error);
  return new StoreError('InternalServerError', message, {}, 500);
}

function refusal({ name, message, status, details }: StoreError): StoreAnswer {
  const type = `com.amazonaws.dynamodb.v20120810#${name}`;
  return { status, body: JSON.stringify({ __type: type, message, ...details }) };
}
