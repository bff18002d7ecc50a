import { expect, test } from 'vitest';
import { freshService } from '../../harness/service.ts';
import { specify } from '../../specifications/specify.ts';

specify('getIntegrationEvents', {
  route: 'GET /api/admin/addons/{id}/events',
  may: 'any token',
  request: async (world) => ({ params: { id: await world.addon() } }),
  differs: '404 for an unknown addon',
});

test('An unknown addon is a 404', async () => {
  expect(await (await freshService()).get('/api/admin/addons/99/events')).toMatchObject({ status: 404 });
});
