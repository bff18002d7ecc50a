import { expect, test } from 'vitest';
import { freshService } from '../../harness/service.ts';
import { specify } from '../../specifications/specify.ts';

specify('getStrategy', {
  route: 'GET /api/admin/strategies/{name}',
  may: 'any token',
  request: async (world) => ({ params: { name: await world.strategyType({ parameters: [{ name: 'team' }] }) } }),
});

test('A strategy type is the same alone as in the list', async () => {
  const service = await freshService();
  const { strategies } = (await service.get('/api/admin/strategies')).body;
  for (const type of strategies) expect((await service.get(`/api/admin/strategies/${type.name}`)).body).toEqual(type);
});
