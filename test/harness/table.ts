import { randomUUID } from 'node:crypto';
import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import { environmentTable } from '../../lib/table/client.ts';
import { requestFor } from '../../lib/table/create.ts';
import type { Table } from '../../lib/table/table.ts';
import { storeEndpoint } from './store-endpoint.ts';

/**
 * A new, empty table on the store of this test run. The environment names it from then on, so that handlers which are
 * called in this process work on it too.
 */
export async function freshTable(): Promise<Table> {
  process.env.DYNAMODB_ENDPOINT = storeEndpoint();
  process.env.PUBLIC_URL ??= 'http://localhost';
  process.env.TABLE_NAME = `test-${randomUUID()}`;
  const table = environmentTable();
  // A store on this machine has it at once.
  await table.client.send(new CreateTableCommand(requestFor(table.name)));
  return table;
}
