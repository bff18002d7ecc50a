import { randomUUID } from 'node:crypto';
import { createEnvironmentRequest, type Request } from '../../lib/request.ts';
import { buildCreateTableInput } from '../../lib/store/client/tables.ts';
import { storeEndpoint } from './store-endpoint.ts';

/**
 * A new, empty table on the store of this test run, or another one. The environment names it from then on, so that
 * handlers which are called in this process work on it too.
 */
export async function freshTable(endpoint = storeEndpoint()): Promise<Request> {
  process.env.DYNAMODB_ENDPOINT = endpoint;
  process.env.PUBLIC_URL ??= 'http://localhost';
  process.env.TABLE_NAME = `test-${randomUUID()}`;
  const table = createEnvironmentRequest();
  // A store on this machine has it at once.
  await table.store.client.send('CreateTable', buildCreateTableInput(table.store.name));
  return table;
}
