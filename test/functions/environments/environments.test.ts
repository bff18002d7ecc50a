import { expect } from 'vitest';
import { readEnvironments } from '../../harness/imports.ts';
import { freshService } from '../../harness/service.ts';
import { serviceEvents } from '../../harness/service-events.ts';
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
  request: async (world) => {
    const name = await world.environment();
    return { params: { name } };
  },
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
  expect((await serviceEvents(service.table)).at(-1)).toMatchObject({
    type: 'environment-updated',
    data: { name: 'production', enabled },
    preData: { enabled: !enabled },
  });
});

test('The name of an environment is free, in use, or no name', async ({ service }) => {
  const validate = async (name: string) => (await service.post('/api/admin/environments/validate', { name })).status;
  expect(await validate('staging')).toBe(200);
  expect(await validate('production')).toBe(409);
  expect(await validate('*')).toBe(400);
  expect(await validate('two words')).toBe(400);
});
