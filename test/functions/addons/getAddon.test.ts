import { expect, test } from 'vitest';
import { freshService } from '../../harness/service.ts';
import { World } from '../../harness/world.ts';
import { specify } from '../../specifications/specify.ts';

specify('getAddon', {
  route: 'GET /api/admin/addons/{id}',
  may: 'any token',
  request: async (world) => ({ params: { id: await world.addon() } }),
});

test('Of an addon whose provider nobody knows, no parameter is shown', async () => {
  const service = await freshService();
  const id = await new World(service).addon({ provider: 'pigeon', parameters: { route: 'a-secret' } });
  expect((await service.get(`/api/admin/addons/${id}`)).body.parameters).toEqual({ route: '*****' });
  expect(await service.get('/api/admin/addons/99')).toMatchObject({ status: 404 });
});
