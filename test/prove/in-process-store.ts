import { openSqliteStore, type SqliteStore } from '../../infra/local/sqlite/sqlite-store.ts';
import { registerInProcessStore } from '../../lib/store/client/in-process.ts';

/** The address of the embedded store. Nothing listens there, so that a request that leaves the process fails. */
export const inProcessEndpoint = 'http://127.0.0.1:1';

/**
 * Opens the store that Flagstaff embeds, for all later requests of this process. The environment names its address from then on, also for
 * processes that it starts.
 * @param file undefined for a store in memory.
 */
export async function openInProcessStore(file?: string): Promise<SqliteStore> {
  const store = await openSqliteStore(file);
  registerInProcessStore(inProcessEndpoint, store);
  process.env.DYNAMODB_ENDPOINT = inProcessEndpoint;
  return store;
}
