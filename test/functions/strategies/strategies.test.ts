import { expect } from 'vitest';
import { readSeed } from '../../../lib/imports/seed/seed-data.ts';
import { freshService } from '../../harness/service.ts';
import { serviceEvents } from '../../harness/service-events.ts';
import { openTo, specify, test } from '../../specifications/specify.ts';

specify('deprecateStrategy', {
  route: 'POST /api/admin/strategies/{name}/deprecate',
  ...openTo('Editor', 'UPDATE_STRATEGY'),
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

test('A strategy type of the service can be deprecated, too', async ({ service }) => {
  expect((await service.call('POST', '/api/admin/strategies/remoteAddress/deprecate')).status).toBe(200);
});

specify('getAllStrategies', {
  route: 'GET /api/admin/strategies',
  may: 'any token',
});

test('The strategy types of the service come first, in the order of forms, then the others by name', async () => {
  const service = await freshService(readSeed({ strategies: [{ name: 'storeHours' }, { name: 'byTeam' }] }));
  const { body } = await service.get('/api/admin/strategies');
  expect(body.version).toBe(1);
  expect(body.strategies.map(({ name, displayName }: Record<string, string>) => [name, displayName])).toEqual([
    ['flexibleRollout', 'Gradual rollout'],
    ['default', 'Standard'],
    ['userWithId', 'UserIDs'],
    ['remoteAddress', 'IPs'],
    ['applicationHostname', 'Hosts'],
    ['byTeam', null],
    ['storeHours', null],
  ]);
  const [rollout, , userWithId, , , byTeam] = body.strategies;
  expect(rollout).toMatchObject({
    title: null,
    editable: false,
    deprecated: false,
    parameters: [{ name: 'rollout', type: 'percentage', required: false }, { name: 'stickiness' }, { name: 'groupId' }],
  });
  expect(userWithId.deprecated).toBe(true);
  expect(byTeam).toMatchObject({ description: '', editable: true, parameters: [] });
});

specify('getStrategy', {
  route: 'GET /api/admin/strategies/{name}',
  may: 'any token',
  request: async (world) => ({ params: { name: await world.strategyType({ parameters: [{ name: 'team' }] }) } }),
});

test('A strategy type is the same alone as in the list', async ({ service }) => {
  const { strategies } = (await service.get('/api/admin/strategies')).body;
  for (const type of strategies) expect((await service.get(`/api/admin/strategies/${type.name}`)).body).toEqual(type);
});

specify('reactivateStrategy', {
  route: 'POST /api/admin/strategies/{name}/reactivate',
  ...openTo('Editor', 'UPDATE_STRATEGY'),
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
