import { beforeEach, describe, expect } from 'vitest';
import { systemUser } from '../../../lib/events/actor.ts';
import { setDefaultStrategy } from '../../../lib/features/strategies/default-strategy.ts';
import { readSeed } from '../../../lib/imports/seed/seed-data.ts';
import { paths, problemPaths } from '../../harness/features.ts';
import { freshService } from '../../harness/service.ts';
import { World } from '../../harness/world.ts';
import { openTo, serviceForEach, specify, test, worldForEach } from '../../specifications/specify.ts';

const parameters = [{ name: 'team', type: 'list', description: 'Their names', required: true }];

specify('createStrategy', {
  route: 'POST /api/admin/strategies',
  ...openTo('Editor', 'CREATE_STRATEGY'),
  request: (world) => ({
    body: { name: world.name('strategy-type'), title: 'By team', description: 'On for some teams', parameters },
  }),
  required: ['name', 'parameters', 'parameters.0.name', 'parameters.0.type'],
  nullable: ['title', 'description', 'parameters.0.description'],
  again: 409,
});

describe('Creating a strategy type', () => {
  const service = serviceForEach();
  const create = (body: object) => service.post('/api/admin/strategies', body);

  test('answers it with what is left out, and lets strategies be of it', async () => {
    const answer = await create({ name: 'byTeam', parameters: [{ name: 'team', type: 'list' }] });
    expect(answer).toMatchObject({ status: 201, headers: { location: '/api/admin/strategies/byTeam' } });
    expect(answer.body).toEqual({
      name: 'byTeam',
      displayName: null,
      title: null,
      description: '',
      editable: true,
      deprecated: false,
      parameters: [{ name: 'team', type: 'list', description: '', required: false }],
    });
    const { name } = await new World(service).feature();
    expect((await service.post(paths.strategies(name), { name: 'byTeam' })).status).toBe(200);
  });

  test('under the name of one that is built in is a 409', async () => {
    const answer = await create({ name: 'default', parameters });
    expect(answer).toMatchObject({ status: 409, body: { name: 'NameExistsError' } });
  });

  test('with two parameters of one name, or a name that no URL takes, is a 400 that names both', async () => {
    const twice = [...parameters, ...parameters];
    expect(problemPaths(await create({ name: 'by team', parameters: twice }))).toEqual(['name', 'parameters']);
  });
});

specify('updateStrategy', {
  route: 'PUT /api/admin/strategies/{name}',
  ...openTo('Editor', 'UPDATE_STRATEGY'),
  request: async (world) => ({
    params: { name: await world.strategyType() },
    body: { title: 'By team', description: 'On for some teams', parameters },
  }),
  required: ['parameters', 'parameters.0.name', 'parameters.0.type'],
  nullable: ['title', 'description', 'parameters.0.description'],
});

describe('Updating a strategy type', () => {
  let path: string;
  const { service, world } = worldForEach();
  beforeEach(async () => {
    path = `/api/admin/strategies/${await world.strategyType({ description: 'As it was' })}`;
  });

  test('replaces the parameters, and keeps what is left out', async () => {
    await service.put(path, { title: 'By team', parameters });
    expect((await service.get(path)).body).toMatchObject({ title: 'By team', description: 'As it was', parameters });
    await service.put(path, { description: null, parameters: [] });
    expect((await service.get(path)).body).toMatchObject({ title: 'By team', description: '', parameters: [] });
  });

  test('of the service itself is refused', async () => {
    for (const name of ['default', 'flexibleRollout']) {
      const answer = await service.put(`/api/admin/strategies/${name}`, { parameters });
      expect(answer).toMatchObject({ status: 403, body: { name: 'NoAccessError' } });
    }
  });
});

specify('removeStrategy', {
  route: 'DELETE /api/admin/strategies/{name}',
  ...openTo('Editor', 'DELETE_STRATEGY'),
  request: async (world) => ({ params: { name: await world.strategyType() } }),
  again: 404,
});

describe('Deleting a strategy type', () => {
  const { service, world } = worldForEach();
  const remove = (name: string) => service.call('DELETE', `/api/admin/strategies/${name}`);

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
  const place = { projectId: 'default', environment: 'development' };
  // As an earlier release took it.
  await setDefaultStrategy(service.table, systemUser, place, { name });
  const remove = async () => (await service.call('DELETE', `/api/admin/strategies/${name}`)).status;
  expect(await remove()).toBe(409);
  const path = '/api/admin/projects/default/environments/development/default-strategy';
  await world.ask('POST', path, { name: 'flexibleRollout' });
  expect(await remove()).toBe(200);
});

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
  expect(await world.strategy(await world.feature(), { name })).toEqual(expect.any(String));
});

test('A strategy type of the service can be deprecated, too', async ({ service }) => {
  expect((await service.call('POST', '/api/admin/strategies/remoteAddress/deprecate')).status).toBe(200);
});

specify('getAllStrategies', { route: 'GET /api/admin/strategies', may: 'any token' });

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
});
