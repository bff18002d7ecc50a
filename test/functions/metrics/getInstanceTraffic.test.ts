import { expect } from 'vitest';
import { specify, test } from '../../specifications/specify.ts';

specify('getInstanceTraffic', {
  route: 'GET /api/admin/metrics/traffic',
  may: 'any token',
  request: () => ({ query: { grouping: 'daily', from: '2026-11-01', to: '2026-11-30' } }),
});

test('Traffic is asked for by days or months of a range', async ({ service }) => {
  const get = (query: string) => service.get(`/api/admin/metrics/traffic?${query}`);
  const [from, to] = ['2026-10-01', '2026-11-30'];
  expect(await get(`grouping=monthly&from=${from}&to=${to}`)).toMatchObject({
    status: 200,
    body: { grouping: 'monthly', dateRange: { from, to }, apiData: [] },
  });
  for (const query of ['', `grouping=hourly&from=${from}&to=${to}`, `grouping=daily&from=${from}&to=tomorrow`]) {
    expect((await get(query)).status, query).toBe(400);
  }
});
