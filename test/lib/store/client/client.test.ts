import { describe, expect, test, vi } from 'vitest';
import * as projectKeys from '../../../../lib/projects/keys.ts';
import { openStore } from '../../../../lib/store/client/open-store.ts';
import * as keys from '../../../../lib/store/keys.ts';
import { queryAll, readItem } from '../../../../lib/store/read.ts';
import { raiseCounter, transact } from '../../../../lib/store/transactions/transact.ts';
import { type Fault, withFault } from '../../../harness/faults.ts';
import { interceptAttempts } from '../../../harness/intercept.ts';
import { freshTable } from '../../../harness/table.ts';

test('Only writes to a table at AWS cost money', () => {
  const isMetered = (endpoint?: string) => openStore({ name: 'flags', endpoint }).isMetered;
  for (const atAws of [undefined, '', 'https://dynamodb.eu-central-1.amazonaws.com'])
    expect(isMetered(atAws)).toBe(true);
  for (const here of ['http://localhost:8000', 'file:///data/flagstaff.db']) expect(isMetered(here)).toBe(false);
});

describe('A request to the store', () => {
  test('is retried after a failure, however many requests failed before', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const table = await freshTable();
    let tries = 0;
    interceptAttempts(table, async (_call, next) => {
      tries += 1;
      if (tries % 3 !== 0) throw Object.assign(new Error('no answer'), { code: 'ECONNRESET' });
      return next();
    });
    for (let request = 0; request < 100; request += 1) {
      expect(await readItem(table, keys.seeded())).toBeUndefined();
    }
    expect(tries).toBe(300);
  });

  test.concurrent.each<Fault>([
    { request: 'BatchGetItem', failure: 'silence', times: 1 },
    { request: 'Query', failure: 'silence', times: 1 },
    { request: 'UpdateItem', failure: 'silence', times: 1 },
    { request: 'TransactWriteItems', failure: 'silence', times: 1 },
    { request: 'TransactWriteItems', failure: 'silence afterwards', times: 1 },
  ])('($request) is retried after "$failure" in time for the caller', async (fault) => {
    const table = await freshTable();
    const key = projectKeys.project('a');
    const [, hits] = await withFault(table, fault, async () => {
      await transact(table, [{ put: key, item: {}, when: 'absent' }], undefined);
      await raiseCounter(table, keys.counter('event'), 1);
      expect(await readItem(table, key)).toEqual(key);
      expect(await queryAll(table, { pk: key.pk })).toEqual([key]);
    });
    expect(hits).toBe(1);
  });

  test.concurrent.each([
    ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'],
  ])('becomes a 503 after the network error %s', async (code) => {
    const table = await freshTable();
    interceptAttempts(table, () => Promise.reject(Object.assign(new Error(code), { code })));
    await expect(readItem(table, keys.seeded())).rejects.toMatchObject({ name: 'ServiceUnavailable', cause: { code } });
  });
});
