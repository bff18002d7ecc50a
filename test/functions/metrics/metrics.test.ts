import { describe, expect } from 'vitest';
import * as usageKeys from '../../../lib/usage/keys.ts';
import { flushUsage } from '../../../lib/usage/register-usage.ts';
import { writeCounts } from '../../../lib/usage/write-counts.ts';
import { serviceEvents } from '../../harness/service-events.ts';
import { openTo, specify, test, worldForEach } from '../../specifications/specify.ts';

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
  await writeCounts(service.table, { key: usageKeys.applicationInstance(gone, 'development', 'one'), set });
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
  request: async (world) => ({ params: { appName: await world.application(), environment: world.home.environment } }),
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

specify('getCustomMetrics', { route: 'GET /api/admin/custom-metrics', may: 'any token' });

specify('getFeatureUsageSummary', {
  route: 'GET /api/admin/client-metrics/features/{name}',
  may: 'any token',
  takesAnyName: ['name'],
  request: async (world) => ({ params: { name: (await world.feature()).name } }),
});

specify('getOutdatedSdks', { route: 'GET /api/admin/metrics/sdks/outdated', may: 'any token' });

specify('getPrometheusMetrics', { route: 'GET /api/admin/custom-metrics/prometheus', may: 'any token' });

specify('getRawFeatureMetrics', {
  route: 'GET /api/admin/client-metrics/features/{name}/raw',
  may: 'any token',
  takesAnyName: ['name'],
  request: async (world) => ({ params: { name: (await world.feature()).name }, query: { hoursBack: 48 } }),
});

specify('getUnknownFlags', { route: 'GET /api/admin/metrics/unknown-flags', may: 'any token' });

test('Flags that are not there are listed with the applications that ask for them', async ({ service, world }) => {
  const token = await world.sdkToken('client');
  const bucket = {
    start: new Date().toISOString(),
    stop: new Date().toISOString(),
    toggles: { missing: { yes: 0, no: 3 } },
  };
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

describe('Applications that report', () => {
  const { service, world } = worldForEach();

  /** Sends the reports of several instances, and waits until they are written. */
  async function report(token: string, app: object, flags: readonly string[] = []): Promise<void> {
    const toggles = Object.fromEntries(flags.map((name) => [name, { yes: 1, no: 0 }]));
    const bucket = { start: new Date().toISOString(), stop: new Date().toISOString(), toggles };
    expect((await service.post('/api/client/register', app, { token })).status).toBe(202);
    expect((await service.post('/api/client/metrics', { ...app, bucket }, { token })).status).toBe(202);
    await flushUsage(service.table);
  }
  const shop = { appName: 'shop', instanceId: 'one', sdkVersion: 'unleash-node-sdk:6.5.0' };

  test('are announced once, as events of the service', async () => {
    const token = await world.sdkToken('client');
    await report(token, shop);
    await report(token, { ...shop, instanceId: 'two' });
    const events = (await serviceEvents(service.table)).filter(({ type }) => type === 'application-created');
    expect(events).toMatchObject([{ createdBy: 'unleash_system_user', data: { appName: 'shop' } }]);
  });

  test('are shown in every environment that they report from, also within an hour', async () => {
    await report(await world.clientToken({ environment: 'development' }), shop);
    await report(await world.clientToken({ environment: 'production' }), shop);
    expect((await service.get('/api/admin/metrics/applications/shop')).body.usage).toEqual([
      { project: '*', environments: ['development', 'production'] },
    ]);
  });

  test('have an overview of their instances, their features and what is wrong', async () => {
    const project = await world.project({ environments: ['development', 'production'] });
    const { name } = await world.feature();
    const { name: other } = await world.feature({ project });
    const token = await world.clientToken({ environment: 'development' });
    await report(token, { ...shop, strategies: ['default', 'own', 'userWithId'] }, [name, other, 'missing']);
    await report(token, { ...shop, instanceId: 'two', sdkVersion: 'unleash-node-sdk:6.12.1' }, [name]);
    const page = await world.frontendToken({ environment: 'production' });
    const body = { appName: 'shop', instanceId: 'page', sdkVersion: 'unleash-client-js:3.7.5' };
    expect((await service.post('/api/frontend/client/register', body, { token: page })).status).toBe(200);
    await flushUsage(service.table);
    const lastSeen = expect.any(String);
    expect((await service.get('/api/admin/metrics/applications/shop/overview')).body).toEqual({
      projects: ['default', project],
      featureCount: 3,
      environments: [
        {
          name: 'development',
          instanceCount: 2,
          sdks: ['unleash-node-sdk:6.12.1', 'unleash-node-sdk:6.5.0'],
          frontendSdks: [],
          backendSdks: ['unleash-node-sdk:6.12.1', 'unleash-node-sdk:6.5.0'],
          lastSeen,
          issues: { missingFeatures: ['missing'], outdatedSdks: ['unleash-node-sdk:6.5.0'] },
        },
        {
          name: 'production',
          instanceCount: 1,
          sdks: ['unleash-client-js:3.7.5'],
          frontendSdks: ['unleash-client-js:3.7.5'],
          backendSdks: [],
          lastSeen,
          issues: { missingFeatures: [], outdatedSdks: [] },
        },
      ],
      issues: { missingStrategies: ['own'] },
    });
    expect((await service.get('/api/admin/metrics/applications/nobody/overview')).status).toBe(404);
  });

  test('have the SDK that its header names, as those in pages send it, where their report says none', async () => {
    const page = await world.frontendToken();
    const headers = { 'unleash-sdk': 'unleash-client-js:3.8.2' };
    const body = {
      appName: 'page',
      instanceId: 'browser',
      bucket: { start: new Date().toISOString(), stop: new Date().toISOString(), toggles: {} },
    };
    expect((await service.post('/api/frontend/client/metrics', body, { token: page, headers })).status).toBe(200);
    const server = await world.sdkToken('client');
    await service.post('/api/client/register', shop, { token: server, headers: { 'unleash-sdk': 'other:1' } });
    await flushUsage(service.table);
    const readSdks = async (app: string) =>
      (await service.get(`/api/admin/metrics/applications/${app}/overview`)).body.environments;
    expect(await readSdks('page')).toMatchObject([{ frontendSdks: ['unleash-client-js:3.8.2'], backendSdks: [] }]);
    expect(await readSdks('shop')).toMatchObject([{ frontendSdks: [], backendSdks: [shop.sdkVersion] }]);
    const instances = '/api/admin/metrics/instances/page/environment/development';
    expect((await service.get(instances)).body.instances).toMatchObject([{ sdkVersion: 'unleash-client-js:3.8.2' }]);
  });

  test('are listed for the projects whose features they use, with the SDKs that are outdated', async () => {
    const project = await world.project({ environments: ['development', 'production'] });
    const { name } = await world.feature();
    const { name: other } = await world.feature({ project });
    const token = await world.clientToken({ environment: 'development' });
    await report(token, shop, [name]);
    await report(token, { ...shop, appName: 'web#blog', instanceId: 'b1', sdkVersion: 'own:1' }, [name, other]);
    const listApplications = async (id: string, query = '') =>
      (await service.get(`/api/admin/projects/${id}/applications${query}`)).body;
    const blog = {
      name: 'web#blog',
      environments: ['development'],
      instances: ['b1'],
      sdks: [{ name: 'own', versions: ['1'] }],
    };
    const shown = {
      name: 'shop',
      environments: ['development'],
      instances: ['one'],
      sdks: [{ name: 'unleash-node-sdk', versions: ['6.5.0'] }],
    };
    expect(await listApplications(project)).toEqual({ total: 1, applications: [blog] });
    expect(await listApplications('default')).toEqual({ total: 2, applications: [shown, blog] });
    expect(await listApplications('default', '?sortOrder=desc&limit=1')).toEqual({ total: 2, applications: [blog] });
    expect(await listApplications('default', '?offset=1')).toEqual({ total: 2, applications: [blog] });
    expect(await listApplications('default', '?query=none,NODE-sdk')).toEqual({ total: 1, applications: [shown] });
    expect(await listApplications('default', '?query=b1')).toEqual({ total: 1, applications: [blog] });
    const outdated = { sdks: [{ sdkVersion: 'unleash-node-sdk:6.5.0', applications: ['shop'] }] };
    expect((await service.get('/api/admin/metrics/sdks/outdated')).body).toEqual(outdated);
    expect((await service.get('/api/admin/projects/default/sdks/outdated')).body).toEqual(outdated);
    expect((await service.get(`/api/admin/projects/${project}/sdks/outdated`)).body).toEqual({ sdks: [] });
    expect((await service.get('/api/admin/projects/nowhere/sdks/outdated')).status).toBe(404);
    expect((await service.get('/api/admin/projects/nowhere/applications')).status).toBe(404);
  });
});
