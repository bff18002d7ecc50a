import { inject } from 'vitest';
import { openSqliteStore } from '../../infra/local/sqlite/sqlite-store.ts';
import { registerInProcessStore } from '../../lib/store/client/in-process.ts';
import { openStoreGate } from './store-gate.ts';

const endpoints = inject('storeEndpoints');
const own = endpoints.length === 0 ? await openOwn() : undefined;

/** The address of the store of this worker. */
export function storeEndpoint(): string {
  return own ?? (endpoints[Number(process.env.VITEST_POOL_ID) % endpoints.length] as string);
}

/** Opens a store in this process, which others reach as well. */
async function openOwn(): Promise<string> {
  const store = await openSqliteStore(undefined);
  const endpoint = await openStoreGate(store);
  registerInProcessStore(endpoint, store);
  return endpoint;
}
