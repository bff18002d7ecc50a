import { expect } from 'vitest';
import { specify, test } from '../../specifications/specify.ts';

specify('getStrategy', {
  route: 'GET /api/admin/strategies/{name}',
  may: 'any token',
  request: async (world) => ({ params: { name: await world.strategyType({ parameters: [{ name: 'team' }] }) } }),
});

test('A strategy type is the same alone as in the list', async ({ service }) => {
  const { strategies } = (await service.get('/api/admin/strategies')).body;
  for (const type of strategies) expect((await service.get(`/api/admin/strategies/${type.name}`)).body).toEqual(type);
});
