import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keepSpareEventIds, takeEventIds } from '../../../lib/events/event-ids.ts';
import { createRequest, type Request } from '../../../lib/request.ts';
import { openStore } from '../../../lib/store/client/open-store.ts';
import { interceptRequests } from '../../harness/intercept.ts';
import { storeEndpoint } from '../../harness/store-endpoint.ts';
import { recordStoreRequests } from '../../harness/store-requests.ts';
import { freshTable } from '../../harness/table.ts';

let table: Request;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  table = await freshTable();
  keepSpareEventIds(table.store);
});
afterEach(() => void vi.useRealTimers());

test('A process that makes a change now and then leaves no gap between the ids of events', async () => {
  for (const first of [1, 2, 3]) {
    expect(await takeEventIds(table, 1)).toEqual({ first, last: first });
    vi.advanceTimersByTime(1_000);
  }
});

test('A busy process asks once for the ids of many changes, and gives none out twice', async () => {
  const taken: number[] = [];
  const requests = await recordStoreRequests(table, async () => {
    for (let change = 0; change < 40; change += 1) taken.push((await takeEventIds(table, 1)).first);
    const { first, last } = await takeEventIds(table, 100);
    for (let id = first; id <= last; id += 1) taken.push(id);
  });
  expect(requests).toHaveLength(3);
  expect(new Set(taken).size).toBe(140);
  expect(taken).toEqual(taken.toSorted((a, b) => a - b));
});

test('The ids of a busy process rise above that of the last event, though another process has made it', async () => {
  const other = createRequest(openStore({ name: table.store.name, endpoint: storeEndpoint() }));
  await takeEventIds(table, 1);
  await takeEventIds(table, 1);
  const { last } = await takeEventIds(other, 1);
  expect((await takeEventIds(table, 1)).first).toBeLessThan(last);
  expect((await takeEventIds(table, 1, last)).first).toBeGreaterThan(last);
  other.store.client.destroy();
});

test('A busy process gives out no lower id than before, though an earlier answer of the store comes late', async () => {
  const heard = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  await takeEventIds(table, 1);
  const interception = interceptRequests(table, async (_call, next) => {
    const answer = await next();
    heard.resolve();
    await answered.promise;
    return answer;
  });
  const late = takeEventIds(table, 1);
  await heard.promise;
  interception[Symbol.dispose]();
  const { last } = await takeEventIds(table, 1);
  answered.resolve();
  expect((await late).last).toBeLessThan(last);
  expect((await takeEventIds(table, 1)).first).toBeGreaterThan(last);
});
