import { createConnection } from 'node:net';
import { assertWhole } from '../../lib/backup/restore-state.ts';
import { createEnvironmentRequest, type Request } from '../../lib/request.ts';
import { isCloud } from '../../lib/store/client/network.ts';
import { createTable } from '../../lib/store/client/tables.ts';
import * as keys from '../../lib/store/keys.ts';
import { readItem } from '../../lib/store/read.ts';
import { type EmbeddedStore, hasStore, isOpenElsewhere, openEmbeddedStore } from '../local/embedded-store.ts';
import { Problem } from '../problem.ts';

/** The help text about the store that the commands work on. */
export const storeHelp = `The store is that of this machine in DATA_DIR (.data). With DYNAMODB_ENDPOINT it is the one at that address. Where
TABLE_NAME alone is set, it is that table at AWS, with the credentials and the region of the environment.`;

const connectMs = 2_000;
const elsewhere = 'DYNAMODB_ENDPOINT to where the store is, or TABLE_NAME alone for a table at AWS';

/** The folder of the store of this machine that the environment means; undefined where it means another store. */
function directoryIn({ DYNAMODB_ENDPOINT, DATA_DIR, TABLE_NAME }: NodeJS.ProcessEnv): string | undefined {
  if (DYNAMODB_ENDPOINT || (TABLE_NAME && !DATA_DIR)) return undefined;
  return DATA_DIR || '.data';
}

async function openIn(directory: string, isToBeFilled: boolean): Promise<EmbeddedStore> {
  if (directory === ':memory:') {
    throw new Problem(
      `A store in memory is out of reach of other processes: let "npm start" keep it in a folder, or set ${elsewhere}.`,
    );
  }
  if (isToBeFilled && isOpenElsewhere(directory)) {
    throw new Problem(`Another process has the store in DATA_DIR "${directory}" open: stop "npm start" first.`);
  }
  if (isToBeFilled || hasStore(directory)) return openEmbeddedStore(directory);
  throw new Problem(`There is no store in DATA_DIR "${directory}": "npm start" makes one; or set ${elsewhere}.`);
}

/**
 * Calls `use` with the table that the environment names.
 * @param isToBeFilled true for one that may be empty, missing or partly restored.
 * @param isHeld true where all reads are to be of one moment, as far as the store can do that: one of this machine can.
 * @throws Problem that says which store it was when it cannot be reached or used.
 */
export async function withStore<T>(
  use: (table: Request) => Promise<T>,
  { isToBeFilled = false, isHeld = false }: { readonly isToBeFilled?: boolean; readonly isHeld?: boolean } = {},
): Promise<T> {
  const directory = directoryIn(process.env);
  if (directory !== undefined) {
    const store = await openIn(directory, isToBeFilled);
    if (isHeld) await store.hold();
    const place = { endpoint: store.address, words: `of the store in DATA_DIR "${directory}"`, isToBeFilled };
    return useTable(place, use).finally(() => store.close());
  }
  const { DYNAMODB_ENDPOINT: endpoint } = process.env;
  if (!endpoint) return useTable({ endpoint: undefined, words: 'at AWS', isToBeFilled }, use);
  if (!(await answers(endpoint))) throw new Problem(`Nothing answers at ${endpoint}: set ${elsewhere}.`);
  return useTable({ endpoint, words: `of the store at ${endpoint}`, isToBeFilled }, use);
}

interface Place {
  readonly endpoint: string | undefined;
  readonly words: string;
  readonly isToBeFilled: boolean;
}

async function useTable<T>({ endpoint, words, isToBeFilled }: Place, use: (table: Request) => Promise<T>): Promise<T> {
  const name = process.env.TABLE_NAME || 'flagstaff';
  // An empty variable is as good as none to us, but not to the parts that read it next.
  delete process.env.DYNAMODB_ENDPOINT;
  Object.assign(process.env, { TABLE_NAME: name, ...(endpoint !== undefined && { DYNAMODB_ENDPOINT: endpoint }) });
  const table = createEnvironmentRequest();
  try {
    // Amazon's tables are made by the stack.
    if (isToBeFilled && endpoint !== undefined && !isCloud(endpoint)) await createTable(table);
    else await readItem(table, keys.seeded());
  } catch (error) {
    throw new Problem(`The table ${name} ${words} cannot be used: ${wordsOf(error)}`);
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
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'ResourceNotFoundException') return 'there is no such table.';
  return error.cause === undefined ? error.message || error.name : wordsOf(error.cause);
}
