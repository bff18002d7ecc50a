import { expect } from 'vitest';
import { serviceEvents } from '../../harness/service-events.ts';
import { specify, test } from '../../specifications/specify.ts';

specify('reactivateStrategy', {
  route: 'POST /api/admin/strategies/{name}/reactivate',
  may: ['Admin', 'Editor'],
  needs: ['UPDATE_STRATEGY'],
  request: async (world) => {
    const name = await world.strategyType();
    await world.ask('POST', `/api/admin/strategies/${name}/deprecate`);
    return { params: { name } };
  },
});

test('A strategy type that is reactivated is no longer deprecated', async ({ service, world }) => {
  const name = await world.strategyType();
  for (const operation of ['deprecate', 'reactivate']) {
    expect((await service.call('POST', `/api/admin/strategies/${name}/${operation}`)).status).toBe(200);
  }
  expect((await service.get(`/api/admin/strategies/${name}`)).body.deprecated).toBe(false);
  expect((await serviceEvents(service.table)).at(-1)).toMatchObject({ type: 'strategy-reactivated', data: { name } });
});
