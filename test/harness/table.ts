import { randomUUID } from 'node:crypto';
import { environmentTable } from '../../lib/table/client.ts';
import { createTable } from '../../lib/table/create.ts';
import type { Table } from '../../lib/table/table.ts';
import { storeEndpoint } from './store-endpoint.ts';

/**
 * A new, empty table on the store of this test run. The environment names it from then on, so that handlers which are
 * called in this process work on it too.
 */
export async function freshTable(): Promise<Table> {
  process.env.DYNAMODB_ENDPOINT = storeEndpoint();
  process.env.TABLE_NAME = `test-${randomUUID()}`;
  const table = environmentTable();
  await createTable(table);
  return table;
}
