import { expect, test } from 'vitest';
import { queryAll, readItem } from '../../../lib/store/read.ts';
import { recordStoreRequests } from '../../harness/store-requests.ts';
import { freshTable } from '../../harness/table.ts';

const tooLong = (bytes: number) => 'n'.repeat(bytes + 1);

test('A key that DynamoDB does not accept finds nothing, without a request', async () => {
  const table = await freshTable();
  const requests = await recordStoreRequests(table, async () => {
    for (const sk of ['', tooLong(1024)]) {
      expect(await readItem(table, { pk: 'p', sk })).toBeUndefined();
      expect(await queryAll(table, { pk: 'p', prefix: sk })).toEqual([]);
      expect(await queryAll(table, { pk: 'p' }, { before: sk })).toEqual([]);
    }
    for (const pk of ['', tooLong(2048)]) {
      expect(await readItem(table, { pk, sk: 's' })).toBeUndefined();
      expect(await queryAll(table, { pk })).toEqual([]);
    }
  });
  expect(requests).toEqual([]);
});
