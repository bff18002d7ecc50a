import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { flushUsage } from '../../../lib/usage/register-usage.ts';
import { sampling } from '../../../lib/usage/traffic.ts';
import type { Traffic } from '../../../lib/usage/traffic-schema.ts';
import { withFault } from '../../harness/faults.ts';
import { recordStoreRequests } from '../../harness/store-requests.ts';
import { openTo, specify, worldForEach } from '../../specifications/specify.ts';

specify('getInstanceTraffic', {
  route: 'GET /api/admin/metrics/traffic',
  ...openTo('Admin', 'ADMIN'),
  request: () => ({ query: { grouping: 'daily', from: '2026-11-01', to: '2026-11-30' } }),
});

describe('Calls', () => {
  const { service, world } = worldForEach();
  let client: string;
  let page: string;

  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'], now: new Date('2026-10-31T12:00:00Z') });
    client = await world.clientToken();
    page = await world.frontendToken();
  });
  afterEach(() => {
    vi.useRealTimers();
    sampling.calls = Number.POSITIVE_INFINITY;
  });

  const ask = (grouping: string, from: string, to: string) =>
    service.get(`/api/admin/metrics/traffic?grouping=${grouping}&from=${from}&to=${to}`);
  /** The counts of successful calls, and of errors of callers and of ours, by path and period. */
  async function counted(grouping = 'daily', from = '2026-10-01', to = '2026-12-31') {
    const { apiData } = (await ask(grouping, from, to)).body as Traffic;
    return Object.fromEntries(
      apiData.map(({ apiPath, dataPoints }) => [
        apiPath,
        Object.fromEntries(
          dataPoints.map(({ period, trafficTypes: [successful], clientErrors, serverErrors }) => [
            period,
            [successful?.count, clientErrors, serverErrors],
          ]),
        ),
      ]),
    );
  }
  const poll = (etag = '"none"') =>
    service.get('/api/client/features', { token: client, headers: { 'if-none-match': etag } });

  test('are counted once each by path and by how they ended, polls that repeat one among them', async () => {
    const { etag } = (await poll()).headers;
    for (let times = 0; times < 3; times += 1) expect((await poll(etag)).status).toBe(304);
    await service.get('/api/client/features', { token: 'unknown' });
    await service.get('/api/frontend', { token: page });
    await service.post('/ofrep/v1/evaluate/flags', { context: {} }, { token: page });
    await service.get('/health', { token: null });
    await flushUsage(service.table);
    expect(await counted()).toEqual({
      '/api/admin': { '2026-10-31': [0, 0, 0] },
      '/api/frontend': { '2026-10-31': [2, 0, 0] },
      '/api/client': { '2026-10-31': [4, 1, 0] },
    });
  });

  test('are summed by days and months of the range, of all processes together', async () => {
    for (const at of ['2026-10-31T23:00:00Z', '2026-11-01T01:00:00Z', '2026-11-01T02:00:00Z', '2026-11-30T23:59:00Z']) {
      vi.setSystemTime(new Date(at));
      await poll();
      await flushUsage(service.table);
    }
    expect((await counted('daily', '2026-11-01', '2026-11-30'))['/api/client']).toEqual({
      '2026-11-01': [2, 0, 0],
      '2026-11-30': [1, 0, 0],
    });
    expect((await counted('monthly'))['/api/client']).toEqual({ '2026-10': [1, 0, 0], '2026-11': [3, 0, 0] });
    expect(await counted('daily', '2026-11-30', '2026-11-01')).toEqual({
      ...{ '/api/admin': {}, '/api/frontend': {}, '/api/client': {} },
    });
    for (const [grouping, to] of [
      ['hourly', '2026-11-30'],
      ['daily', 'tomorrow'],
    ] as const) {
      expect((await ask(grouping, '2026-11-01', to)).status).toBe(400);
    }
  });

  test('of SDKs that report nothing take one write in two minutes, and none is lost where the store fails', async () => {
    const writesOfPoll = async () =>
      (await recordStoreRequests(service.table, poll)).filter(({ command }) => command === 'Update');
    await poll();
    expect(await writesOfPoll()).toEqual([]);
    vi.advanceTimersByTime(120_000);
    expect(await writesOfPoll()).toMatchObject([{ units: 1 }]);
    vi.advanceTimersByTime(120_000);
    const [{ status }] = await withFault(
      service.table,
      { request: 'UpdateItem', failure: 'server error', times: 100 },
      poll,
    );
    expect(status).toBe(200);
    await flushUsage(service.table);
    expect((await counted())['/api/client']).toEqual({ '2026-10-31': [4, 0, 0] });
  });

  test('of people are estimated in Lambda by one read in ten, and neither changes, strangers nor failures make it write', async () => {
    sampling.calls = 10;
    const call = (token: string | null = service.adminToken) => service.get('/api/admin/environments', { token });
    const random = vi.spyOn(Math, 'random').mockReturnValue(0.1);
    await call();
    random.mockReturnValue(0.09);
    await call();
    await call(null);
    await call(page);
    await world.feature();
    const failing = { request: 'UpdateItem', failure: 'server error', times: 100 } as const;
    const [[{ status }], writes] = await withFault(service.table, failing, () =>
      withFault(service.table, { ...failing, request: 'Query' }, () => call()),
    );
    expect([status, writes]).toEqual([503, 0]);
    await call();
    random.mockRestore();
    sampling.calls = Number.POSITIVE_INFINITY;
    expect((await counted())['/api/admin']).toEqual({ '2026-10-31': [20, 0, 10] });
  });
});
