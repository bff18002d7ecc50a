import { expect, test } from 'vitest';
import { freshService } from '../../harness/service.ts';
import { serviceEvents } from '../../harness/service-events.ts';
import { World } from '../../harness/world.ts';
import { specify } from '../../specifications/specify.ts';

specify('deprecateStrategy', {
  route: 'POST /api/admin/strategies/{name}/deprecate',
  may: ['Admin', 'Editor'],
  needs: ['UPDATE_STRATEGY'],
  request: async (world) => ({ params: { name: await world.strategyType() } }),
});

test('A deprecated strategy type says so, and strategies can still be of it', async () => {
  const service = await freshService();
  const world = new World(service);
  const name = await world.strategyType();
  expect(await service.call('POST', `/api/admin/strategies/${name}/deprecate`)).toMatchObject({
    status: 200,
    text: '',
  });
  expect((await service.get(`/api/admin/strategies/${name}`)).body.deprecated).toBe(true);
  expect((await serviceEvents(service.table)).at(-1)).toMatchObject({ type: 'strategy-deprecated', data: { name } });
  expect(await world.strategy(await world.feature(), { name })).toEqual(expect.any(String));
});

test('One of the service can be deprecated, too', async () => {
  const service = await freshService();
  expect((await service.call('POST', '/api/admin/strategies/remoteAddress/deprecate')).status).toBe(200);
});
