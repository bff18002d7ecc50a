import { expect } from 'vitest';
import { specify, test } from '../../specifications/specify.ts';

specify('getUnknownFlags', {
  route: 'GET /api/admin/metrics/unknown-flags',
  may: 'any token',
  request: () => ({}),
});

test('Flags that are not there are listed with the applications and environments that ask for them', async ({
  service,
  world,
}) => {
  const token = await world.sdkToken('client');
  const bucket = { start: new Date().toISOString(), toggles: { missing: { yes: 0, no: 3 } } };
  expect((await service.post('/api/client/metrics', { appName: 'web#shop', bucket }, { token })).status).toBe(202);
  const seenAt = expect.any(String);
  expect((await service.get('/api/admin/metrics/unknown-flags')).body.unknownFlags).toEqual([
    {
      name: 'missing',
      lastSeenAt: seenAt,
      reports: [{ appName: 'web#shop', environments: [{ environment: 'development', seenAt }] }],
    },
  ]);
});
