import { beforeAll, describe, expect } from 'vitest';
import { readSeed } from '../../../lib/imports/seed/seed-data.ts';
import { addFeaturesOn, shopSeed } from '../../harness/features.ts';
import { readEnvironments } from '../../harness/imports.ts';
import { freshService, type Service } from '../../harness/service.ts';
import { World } from '../../harness/world.ts';
import { openTo, specify, test } from '../../specifications/specify.ts';

specify('getEnvironment', {
  route: 'GET /api/admin/environments/{name}',
  may: 'any token',
  request: async (world) => ({ params: { name: await world.environment() } }),
});

test('An environment says what it is, whether enabled or not', async ({ service }) => {
  const read = async (name: string) => (await service.get(`/api/admin/environments/${name}`)).body;
  expect(await read('production')).toEqual({
    name: 'production',
    type: 'production',
    sortOrder: 3,
    enabled: true,
    protected: false,
    requiredApprovals: null,
  });
  expect(await read('default')).toMatchObject({ enabled: false, protected: true });
});

specify('toggleEnvironmentOff', {
  route: 'POST /api/admin/environments/{name}/off',
  ...openTo('Admin', 'ADMIN'),
  request: async (world) => ({ params: { name: await world.environment() } }),
});

specify('toggleEnvironmentOn', {
  route: 'POST /api/admin/environments/{name}/on',
  ...openTo('Admin', 'ADMIN'),
  request: async (world) => {
    const name = await world.environment();
    await world.ask('POST', `/api/admin/environments/${name}/off`);
    return { params: { name } };
  },
});

specify('validateEnvironmentName', {
  route: 'POST /api/admin/environments/validate',
  ...openTo('Admin', 'ADMIN'),
  request: (world) => ({ body: { name: world.name('environment') } }),
  required: ['name'],
});

test.each([
  ['off', 'disabled', false],
  ['on', 'enabled', true],
])('An environment that is switched %s is %s, and the event says what it was', async (way, _state, enabled) => {
  const service = await freshService();
  const path = '/api/admin/environments/production';
  if (enabled) await service.post(`${path}/off`, {});
  expect(await service.post(`${path}/${way}`, {})).toMatchObject({ status: 204, text: '' });
  expect((await readEnvironments(service)).production).toMatchObject({ enabled });
});

test('The name of an environment is free, in use, or no name', async ({ service }) => {
  const validate = async (name: string) => (await service.post('/api/admin/environments/validate', { name })).status;
  expect(await validate('staging')).toBe(200);
  expect(await validate('production')).toBe(409);
  expect(await validate('*')).toBe(400);
  expect(await validate('two words')).toBe(400);
});

specify('getAllEnvironments', { route: 'GET /api/admin/environments', may: 'any token' });

describe('The list of environments', () => {
  const path = '/api/admin/environments';
  const seed = readSeed({
    environments: [
      { name: 'first', type: 'test', sortOrder: -5 },
      { name: 'also-third', type: 'test', sortOrder: 3 },
      { name: 'asleep', type: 'preproduction', enabled: false, protected: true, sortOrder: 7 },
      { name: 'last', type: 'test' },
    ],
    projects: [{ id: 'other', environments: ['development', 'asleep'] }],
  });

  let service: Service;
  beforeAll(async () => {
    service = await freshService(seed);
  });

  test('A fresh store has three environments, of which default is disabled, protected and in no project', async () => {
    const fresh = await freshService();
    const counts = { requiredApprovals: null, apiTokenCount: 0, enabledToggleCount: 0 };
    const usual = { enabled: true, protected: false, projectCount: 1, ...counts };
    expect((await fresh.get(path)).body).toEqual({
      version: 1,
      environments: [
        {
          name: 'default',
          type: 'production',
          sortOrder: 1,
          enabled: false,
          protected: true,
          projectCount: 0,
          ...counts,
        },
        { name: 'development', type: 'development', sortOrder: 2, ...usual },
        { name: 'production', type: 'production', sortOrder: 3, ...usual },
      ],
    });
    service = await freshService(seed);
  });

  test('All are listed by sortOrder, then by name, the disabled ones too', async () => {
    const { status, body } = await service.get(path);
    expect(status).toBe(200);
    expect(body.environments.map(({ name }: { name: string }) => name)).toEqual([
      'first',
      'default',
      'development',
      'also-third',
      'production',
      'asleep',
      'last',
    ]);
    expect(await readEnvironments(service)).toMatchObject({
      asleep: { type: 'preproduction', sortOrder: 7, enabled: false, protected: true },
      last: { sortOrder: 8, enabled: true, protected: false },
    });
  });

  test('projectCount counts the projects that use an environment', async () => {
    const { development, asleep, first } = await readEnvironments(service);
    expect([development, asleep, first].map(({ projectCount }) => projectCount)).toEqual([2, 1, 0]);
  });
});

specify('getProjectEnvironments', {
  route: 'GET /api/admin/environments/project/{projectId}',
  may: 'any token',
  request: async (world) => {
    const projectId = await world.project();
    await world.ask('POST', `/api/admin/projects/${projectId}/environments/development/default-strategy`, {
      name: 'flexibleRollout',
    });
    return { params: { projectId } };
  },
});

test('All environments are listed in their order, with what the project has in them', async () => {
  const service = await freshService(shopSeed);
  const defaultStrategy = { name: 'flexibleRollout', parameters: { rollout: '10' } };
  const path = '/api/admin/projects/shop/environments/staging/default-strategy';
  expect((await service.post(path, defaultStrategy)).status).toBe(200);
  await addFeaturesOn(service, ['one', 'two'], { project: 'shop', environment: 'staging' });
  await addFeaturesOn(service, ['elsewhere']);
  const world = new World(service);
  await world.clientToken({ projects: ['shop', 'default'], environment: 'staging' });
  await world.frontendToken({ environment: 'staging' });
  await world.clientToken({ projects: ['default'], environment: 'staging' });
  const { body } = await service.get('/api/admin/environments/project/shop');
  const counts = { projectApiTokenCount: 0, projectEnabledToggleCount: 0 };
  const usual = { enabled: true, protected: false, requiredApprovals: null, ...counts };
  expect(body).toEqual({
    version: 1,
    environments: [
      { ...usual, name: 'default', type: 'production', sortOrder: 1, enabled: false, protected: true, visible: false },
      { ...usual, name: 'development', type: 'development', sortOrder: 2, visible: true },
      { ...usual, name: 'production', type: 'production', sortOrder: 3, visible: false },
      {
        ...usual,
        name: 'staging',
        type: 'preproduction',
        sortOrder: 4,
        visible: true,
        projectApiTokenCount: 2,
        projectEnabledToggleCount: 2,
        defaultStrategy,
      },
    ],
  });
});
