import { describe, expect } from 'vitest';
import { serviceEvents } from '../../harness/service-events.ts';
import { openTo, specify, test, worldForEach } from '../../specifications/specify.ts';

specify('removeStrategy', {
  route: 'DELETE /api/admin/strategies/{name}',
  ...openTo('Editor', 'DELETE_STRATEGY'),
  request: async (world) => ({ params: { name: await world.strategyType() } }),
  again: 404,
});

describe('Deleting a strategy type', () => {
  const { service, world } = worldForEach();
  const remove = (name: string) => service.call('DELETE', `/api/admin/strategies/${name}`);

  test('takes it out of the list, and records what it was', async () => {
    const name = await world.strategyType();
    expect(await remove(name)).toMatchObject({ status: 200, text: '' });
    expect((await service.get(`/api/admin/strategies/${name}`)).status).toBe(404);
    expect((await serviceEvents(service.table)).at(-1)).toMatchObject({ type: 'strategy-deleted', preData: { name } });
  });

  test('is refused while a feature has a strategy of it, and names the feature', async () => {
    const name = await world.strategyType();
    const feature = await world.feature({ strategies: [{ name }] });
    const answer = await remove(name);
    expect(answer).toMatchObject({ status: 409, body: { name: 'InUseError' } });
    expect(answer.body.message).toContain(feature.name);
  });

  test('of the service itself is refused', async () => {
    expect(await remove('default')).toMatchObject({ status: 403, body: { name: 'NoAccessError' } });
  });
});

test('A strategy type stays while the default strategy of a project is of it', async ({ service, world }) => {
  const name = await world.strategyType();
  const path = '/api/admin/projects/default/environments/development/default-strategy';
  await world.ask('POST', path, { name });
  const remove = async () => (await service.call('DELETE', `/api/admin/strategies/${name}`)).status;
  expect(await remove()).toBe(409);
  await world.ask('POST', path, { name: 'flexibleRollout' });
  expect(await remove()).toBe(200);
});
