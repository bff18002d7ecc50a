import { createConnection } from 'node:net';
import { assertWhole } from '../../lib/backup/restore-mark.ts';
import { environmentRequest, type Request } from '../../lib/request.ts';
import { isCloud } from '../../lib/store/client/cloud.ts';
import { createTable } from '../../lib/store/client/create.ts';
import * as keys from '../../lib/store/keys.ts';
import { readItem } from '../../lib/store/read.ts';
import { readRunning } from '../local/running.ts';
import { Problem } from '../problem.ts';

/** The help text about the store that the commands work on. */
export const storeHelp = `The store is the one that "npm start" runs on this machine: that of DATA_DIR (.data), or the one at STORE_PORT. With
DYNAMODB_ENDPOINT it is the one at that address. Where TABLE_NAME alone is set, it is that table at AWS, with the
credentials and the region of the environment.`;

const connectMs = 2_000;

/**
 * The address of the store that the environment names; undefined means AWS's own.
 * @throws Problem when it is the store of a server on this machine that does not run.
 */
function endpointIn({ DYNAMODB_ENDPOINT, STORE_PORT, DATA_DIR, TABLE_NAME }: NodeJS.ProcessEnv): string | undefined {
  if (DYNAMODB_ENDPOINT) return DYNAMODB_ENDPOINT;
  if (STORE_PORT) return `http://127.0.0.1:${STORE_PORT}`;
  if (TABLE_NAME && !DATA_DIR) return undefined;
  const directory = DATA_DIR || '.data';
  const running = readRunning(directory);
  if (running !== undefined) return running.store;
  throw new Problem(
    directory === ':memory:'
      ? 'A store in memory cannot be found through DATA_DIR: set STORE_PORT to the port that "npm start" shows.'
      : `No "npm start" runs with DATA_DIR "${directory}": run it in another terminal, or set ${elsewhere}.`,
  );
}

const elsewhere = 'DYNAMODB_ENDPOINT or STORE_PORT to where the store is, or TABLE_NAME alone for a table at AWS';

/**
 * Calls `use` with the table that the environment names.
 * @param isToBeFilled true for one that may be empty, missing or partly restored.
 * @throws Problem that says which store it was when it cannot be reached or used.
 */
export async function withStore<T>(
  use: (table: Request) => Promise<T>,
  { isToBeFilled = false }: { readonly isToBeFilled?: boolean } = {},
): Promise<T> {
  const endpoint = endpointIn(process.env);
  const name = process.env.TABLE_NAME || 'flagstaff';
  const place = `the table ${name} ${endpoint === undefined ? 'at AWS' : `of the store at ${endpoint}`}`;
  if (endpoint !== undefined && !(await answers(endpoint))) {
    throw new Problem(`Nothing answers at ${endpoint}: run "npm start" in another terminal, or set ${elsewhere}.`);
  }
  // An empty variable is as good as none to us, but not to the parts that read it next.
  delete process.env.DYNAMODB_ENDPOINT;
  Object.assign(process.env, { TABLE_NAME: name, ...(endpoint !== undefined && { DYNAMODB_ENDPOINT: endpoint }) });
  const table = environmentRequest();
  try {
    // Amazon's tables are made by the stack.
    if (isToBeFilled && endpoint !== undefined && !isCloud(endpoint)) await createTable(table);
    else await readItem(table, keys.seeded());
  } catch (error) {
    throw new Problem(`${capitalized(place)} cannot be used: ${wordsOf(error)}`);
  }
  try {
    if (!isToBeFilled) await assertWhole(table);
    return await use(table);
  } finally {
    table.store.client.destroy();
  }
}

/** Tells whether anything takes connections there: a wrong port shows at once, not after every attempt of the SDK. */
function answers(endpoint: string): Promise<boolean> {
  const url = URL.parse(endpoint);
  if (url === null)
    throw new Problem(`DYNAMODB_ENDPOINT must be an address such as http://localhost:8000, not "${endpoint}".`);
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  return new Promise((resolve) => {
    const socket = createConnection({ host: url.hostname.replace(/^\[|\]$/g, ''), port, timeout: connectMs });
    const end = (answered: boolean) => () => {
      socket.destroy();
      resolve(answered);
    };
    socket.once('connect', end(true)).once('timeout', end(false)).once('error', end(false));
  });
}

/** The words of an error, and of what the table's client keeps behind its own. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'ResourceNotFoundException') return 'there is no such table.';
  return error.cause === undefined ? error.message || error.name : wordsOf(error.cause);
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
