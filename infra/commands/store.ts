import { createConnection } from 'node:net';
import { assertWhole } from '../../lib/backup/restore-state.ts';
import { createEnvironmentRequest, type Request } from '../../lib/request.ts';
import { isAwsEndpoint } from '../../lib/store/client/network.ts';
import { createTable } from '../../lib/store/client/tables.ts';
import * as keys from '../../lib/store/keys.ts';
import { readItem } from '../../lib/store/read.ts';
import { type EmbeddedStore, hasStore, isOpenElsewhere, openEmbeddedStore } from '../local/embedded-store.ts';
import { Problem } from '../problem.ts';

/** The part of the help texts about the store. */
export const storeHelp = `The command uses the local store in the folder DATA_DIR (default: .data). With DYNAMODB_ENDPOINT, it uses the store at that address.
With TABLE_NAME alone, it uses that table at AWS, with the credentials and the region in the environment.`;

const connectMs = 2_000;
const otherStores = 'DYNAMODB_ENDPOINT to the address of the store, or TABLE_NAME alone for a table at AWS';

/** Returns the folder of the local store; undefined if the environment selects another store. */
function directoryIn({ DYNAMODB_ENDPOINT, DATA_DIR, TABLE_NAME }: NodeJS.ProcessEnv): string | undefined {
  if (DYNAMODB_ENDPOINT || (TABLE_NAME && !DATA_DIR)) return undefined;
  return DATA_DIR || '.data';
}

async function openIn(directory: string, isToBeFilled: boolean): Promise<EmbeddedStore> {
  if (directory === ':memory:') {
    throw new Problem(
      `Other processes cannot use a store in memory: set DATA_DIR of "npm start" to a folder, or set ${otherStores}.`,
    );
  }
  if (isToBeFilled && isOpenElsewhere(directory)) {
    throw new Problem(`Another process has the store in DATA_DIR "${directory}" open: stop "npm start" first.`);
  }
  if (isToBeFilled || hasStore(directory)) return openEmbeddedStore(directory);
  throw new Problem(`There is no store in DATA_DIR "${directory}": "npm start" creates one. Or set ${otherStores}.`);
}

/**
 * Calls `use` with the table that the environment selects.
 * @param isToBeFilled true if the table may be empty, missing or partly restored.
 * @param isSnapshot true to read everything as of one moment, if the store supports that. The local store does.
 * @throws Problem that names the store if it cannot be reached or used.
 */
export async function withStore<T>(
  use: (table: Request) => Promise<T>,
  { isToBeFilled = false, isSnapshot = false }: { readonly isToBeFilled?: boolean; readonly isSnapshot?: boolean } = {},
): Promise<T> {
  const directory = directoryIn(process.env);
  if (directory !== undefined) {
    const store = await openIn(directory, isToBeFilled);
    if (isSnapshot) await store.freeze();
    const address = { endpoint: store.address, description: `of the store in DATA_DIR "${directory}"`, isToBeFilled };
    return useTable(address, use).finally(() => store.close());
  }
  const { DYNAMODB_ENDPOINT: endpoint } = process.env;
  if (!endpoint) return useTable({ endpoint: undefined, description: 'at AWS', isToBeFilled }, use);
  if (!(await answers(endpoint))) throw new Problem(`Nothing answers at ${endpoint}: set ${otherStores}.`);
  return useTable({ endpoint, description: `of the store at ${endpoint}`, isToBeFilled }, use);
}

interface StoreAddress {
  readonly endpoint: string | undefined;
  readonly description: string;
  readonly isToBeFilled: boolean;
}

async function useTable<T>(
  { endpoint, description, isToBeFilled }: StoreAddress,
  use: (table: Request) => Promise<T>,
): Promise<T> {
  const name = process.env.TABLE_NAME || 'flagstaff';
  // We treat an empty variable as unset, but the code that reads it next does not.
  delete process.env.DYNAMODB_ENDPOINT;
  Object.assign(process.env, { TABLE_NAME: name, ...(endpoint !== undefined && { DYNAMODB_ENDPOINT: endpoint }) });
  const table = createEnvironmentRequest();
  try {
    // The stack creates tables at AWS.
    if (isToBeFilled && endpoint !== undefined && !isAwsEndpoint(endpoint)) await createTable(table);
    else await readItem(table, keys.seeded());
  } catch (error) {
    throw new Problem(`The table ${name} ${description} cannot be used: ${messageOf(error)}`);
  }
  try {
    if (!isToBeFilled) await assertWhole(table);
    return await use(table);
  } finally {
    table.store.client.destroy();
  }
}

/** Returns true if the address accepts connections. A wrong port fails at once, not after all retries of the SDK. */
function answers(endpoint: string): Promise<boolean> {
  const url = URL.parse(endpoint);
  if (url === null)
    throw new Problem(`DYNAMODB_ENDPOINT must be an address such as http://localhost:8000, not "${endpoint}".`);
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  return takesConnections(url.hostname.replace(/^\[|\]$/g, ''), port, connectMs);
}

/** Returns true if a port accepts connections, within `timeout` milliseconds if that is set. @internal */
export function takesConnections(host: string, port: number, timeout?: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host, port, ...(timeout !== undefined && { timeout }) });
    const end = (isTaken: boolean) => () => {
      socket.destroy();
      resolve(isTaken);
    };
    socket.once('connect', end(true)).once('timeout', end(false)).once('error', end(false));
  });
}

/** Returns the message of an error, or of its innermost cause. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'ResourceNotFoundException') return 'there is no such table.';
  return error.cause === undefined ? error.message || error.name : messageOf(error.cause);
}
