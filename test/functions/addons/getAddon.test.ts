import { expect } from 'vitest';
import { specify, test } from '../../specifications/specify.ts';

specify('getAddon', {
  route: 'GET /api/admin/addons/{id}',
  may: 'any token',
  request: async (world) => ({ params: { id: await world.addon() } }),
});

test('Of an addon whose provider nobody knows, no parameter is shown', async ({ service, world }) => {
  const id = await world.addon({ provider: 'pigeon', parameters: { route: 'a-secret' } });
  expect((await service.get(`/api/admin/addons/${id}`)).body.parameters).toEqual({ route: '*****' });
  expect(await service.get('/api/admin/addons/99')).toMatchObject({ status: 404 });
});
