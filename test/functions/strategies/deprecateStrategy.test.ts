import { expect } from 'vitest';
import { serviceEvents } from '../../harness/service-events.ts';
import { specify, test } from '../../specifications/specify.ts';

specify('deprecateStrategy', {
  route: 'POST /api/admin/strategies/{name}/deprecate',
  may: ['Admin', 'Editor'],
  needs: ['UPDATE_STRATEGY'],
  request: async (world) => ({ params: { name: await world.strategyType() } }),
});

test('A deprecated strategy type says so, and strategies can still be of it', async ({ service, world }) => {
  const name = await world.strategyType();
  expect(await service.call('POST', `/api/admin/strategies/${name}/deprecate`)).toMatchObject({
    status: 200,
    text: '',
  });
  expect((await service.get(`/api/admin/strategies/${name}`)).body.deprecated).toBe(true);
  expect((await serviceEvents(service.table)).at(-1)).toMatchObject({ type: 'strategy-deprecated', data: { name } });
  expect(await world.strategy(await world.feature(), { name })).toEqual(expect.any(String));
});

test('One of the service can be deprecated, too', async ({ service }) => {
  expect((await service.call('POST', '/api/admin/strategies/remoteAddress/deprecate')).status).toBe(200);
});
