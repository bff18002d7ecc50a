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

test('A process with few changes leaves no gaps between the ids of events', async () => {
  for (const first of [1, 2, 3]) {
    expect(await takeEventIds(table, 1)).toEqual({ first, last: first });
    vi.advanceTimersByTime(1_000);
  }
});

test('A busy process requests the ids of many changes at once, and uses none twice', async () => {
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

test('The ids of a busy process exceed the id of the last event, even if another process has stored it', async () => {
  const other = createRequest(openStore({ name: table.store.name, endpoint: storeEndpoint() }));
  await takeEventIds(table, 1);
  await takeEventIds(table, 1);
  const { last } = await takeEventIds(other, 1);
  expect((await takeEventIds(table, 1)).first).toBeLessThan(last);
  expect((await takeEventIds(table, 1, last)).first).toBeGreaterThan(last);
  other.store.client.destroy();
});

test('A busy process never uses a lower id than before, even if an earlier response of the store is late', async () => {
  const requested = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  await takeEventIds(table, 1);
  const interception = interceptRequests(table, async (_call, next) => {
    const answer = await next();
    requested.resolve();
    await released.promise;
    return answer;
  });
  const late = takeEventIds(table, 1);
  await requested.promise;
  interception[Symbol.dispose]();
  const { last } = await takeEventIds(table, 1);
  released.resolve();
  expect((await late).last).toBeLessThan(last);
  expect((await takeEventIds(table, 1)).first).toBeGreaterThan(last);
});
