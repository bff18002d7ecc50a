import { expect } from 'vitest';
import * as keys from '../../../lib/store/keys.ts';
import { tally } from '../../../lib/store/transactions/tally.ts';
import { openTo, specify, test } from '../../specifications/specify.ts';

specify('deleteApplication', {
  route: 'DELETE /api/admin/metrics/applications/{appName}',
  ...openTo('Editor', 'UPDATE_APPLICATION'),
  takesAnyName: ['appName'],
  request: async (world) => ({ params: { appName: await world.application() } }),
  again: 'nothing',
});

test('A deleted application is gone, with all its instances, and others stay', async ({ service, world }) => {
  const [gone, stays] = [await world.application(), await world.application()];
  const set = {
    seenAt: new Date().toISOString(),
    address: '',
    expiresAtSeconds: Math.floor(Date.now() / 1_000) + 1_000,
  };
  await tally(service.table, { key: keys.applicationInstance(gone, 'development', 'one'), set });
  const path = `/api/admin/metrics/applications/${gone}`;
  expect(await service.call('DELETE', path)).toMatchObject({ status: 200, text: '' });
  expect((await service.get(path)).status).toBe(404);
  expect((await service.get(`${path}/overview`)).status).toBe(404);
  const left = await service.get(`/api/admin/metrics/instances/${gone}/environment/development`);
  expect(left.body.instances).toEqual([]);
  expect((await service.get('/api/admin/metrics/applications')).body.applications).toMatchObject([{ appName: stays }]);
});

specify('getApplication', {
  route: 'GET /api/admin/metrics/applications/{appName}',
  may: 'any token',
  request: async (world) => ({ params: { appName: await world.application() } }),
});

specify('getApplicationEnvironmentInstances', {
  route: 'GET /api/admin/metrics/instances/{appName}/environment/{environment}',
  may: 'any token',
  takesAnyName: ['appName', 'environment'],
  request: async (world) => ({
    params: { appName: await world.application(), environment: world.home.environment },
  }),
});

test('The instances of an application are listed by environment, with their SDK', async ({ service, world }) => {
  const token = await world.sdkToken('client');
  const body = { appName: 'shop', instanceId: 'one#1', sdkVersion: 'unleash-node-sdk:6.12.1' };
  await service.post('/api/client/register', body, { token });
  const instancesIn = async (environment: string) =>
    (await service.get(`/api/admin/metrics/instances/shop/environment/${environment}`)).body.instances;
  expect(await instancesIn('development')).toEqual([
    { instanceId: 'one#1', clientIp: '', sdkVersion: 'unleash-node-sdk:6.12.1', lastSeen: expect.any(String) },
  ]);
  expect(await instancesIn('production')).toEqual([]);
});

specify('getApplicationOverview', {
  route: 'GET /api/admin/metrics/applications/{appName}/overview',
  may: 'any token',
  request: async (world) => ({ params: { appName: await world.application() } }),
  differs: 'an unknown application is a 404',
});

specify('getApplications', {
  route: 'GET /api/admin/metrics/applications',
  may: 'any token',
  request: () => ({ query: { query: 'app', offset: 0, limit: 10, sortBy: 'appName', sortOrder: 'asc' } }),
});

specify('getCustomMetrics', {
  route: 'GET /api/admin/custom-metrics',
  may: 'any token',
});

specify('getFeatureUsageSummary', {
  route: 'GET /api/admin/client-metrics/features/{name}',
  may: 'any token',
  takesAnyName: ['name'],
  request: async (world) => ({ params: { name: (await world.feature()).name } }),
});

specify('getOutdatedSdks', {
  route: 'GET /api/admin/metrics/sdks/outdated',
  may: 'any token',
});

specify('getPrometheusMetrics', {
  route: 'GET /api/admin/custom-metrics/prometheus',
  may: 'any token',
});

specify('getRawFeatureMetrics', {
  route: 'GET /api/admin/client-metrics/features/{name}/raw',
  may: 'any token',
  takesAnyName: ['name'],
  request: async (world) => ({ params: { name: (await world.feature()).name }, query: { hoursBack: 48 } }),
});

specify('getUnknownFlags', {
  route: 'GET /api/admin/metrics/unknown-flags',
  may: 'any token',
});

test('Flags that are not there are listed with the applications that ask for them', async ({ service, world }) => {
  const token = await world.sdkToken('client');
  const bucket = { start: new Date().toISOString(), toggles: { missing: { yes: 0, no: 3 } } };
  expect((await service.post('/api/client/metrics', { appName: 'web#shop', bucket }, { token })).status).toBe(202);
  const seenAt = expect.any(String);
  expect((await service.get('/api/admin/metrics/unknown-flags')).body.unknownFlags).toEqual([
    {
      name: 'missing',
      lastSeenAt: seenAt,
      reports: [{ appName: 'web#shop', environments: [{ environment: 'development', seenAt }] }],
    },
  ]);
  await world.ask('POST', '/api/admin/projects/default/features', { name: 'missing' });
  expect((await service.get('/api/admin/metrics/unknown-flags')).body.unknownFlags).toEqual([]);
});
