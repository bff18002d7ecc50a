import { expect } from 'vitest';
import * as registry from '../../../functions/index.ts';
import { type Endpoint, isMutation } from '../../../lib/http/declaration.ts';
import { serviceEvents } from '../../harness/service-events.ts';
import { openTo, specify, test } from '../../specifications/specify.ts';

specify('toggleMaintenance', {
  route: 'POST /api/admin/maintenance',
  ...openTo('Admin', 'ADMIN', 'UPDATE_MAINTENANCE_MODE'),
  request: () => ({ body: { enabled: false } }),
  required: ['enabled'],
  again: 'once more',
});

/** All that change something but the switch itself, and signing in and out. */
const mutations = Object.entries<Endpoint>(registry).filter(
  ([, { declaration }]) => isMutation(declaration) && !declaration.duringMaintenance,
);

test('In maintenance every change is a 503; reads, checks and SDKs go on', async ({ service, world }) => {
  const feature = await world.feature({ on: true });
  const clientToken = await world.clientToken();
  const maintain = (enabled: boolean) => service.post('/api/admin/maintenance', { enabled });
  expect(await maintain(true)).toMatchObject({ status: 204, text: '' });
  expect((await service.get('/api/admin/maintenance')).body).toEqual({ enabled: true });
  expect((await service.get('/api/admin/ui-config')).body.maintenanceMode).toBe(true);

  const before = await serviceEvents(service.table);
  for (const [operationId, { declaration }] of mutations) {
    const target = declaration.path.replaceAll(/\{\w+\}/g, feature.name);
    const { status, body, headers } = await service.call(declaration.method, target, { body: {} });
    expect([operationId, status]).toEqual([operationId, 503]);
    expect(body.message).toContain('maintenance');
    expect(headers['retry-after']).toBeDefined();
  }
  expect(await service.post('/api/admin/maintenance', { enabled: true }, { token: null })).toMatchObject({
    status: 401,
  });
  expect(await serviceEvents(service.table)).toEqual(before);

  const { projectId, featureName } = feature.place;
  expect(await service.get(`/api/admin/projects/${projectId}/features/${featureName}`)).toMatchObject({ status: 200 });
  expect(await service.post('/api/admin/segments/validate', { name: 'new' })).toMatchObject({ status: 204 });
  const features = await service.get('/api/client/features', { token: clientToken });
  expect(features.body.features).toMatchObject([{ name: featureName, enabled: true }]);
  const report = { appName: 'shop', interval: 10, started: new Date().toISOString(), strategies: [] };
  expect(await service.post('/api/client/register', report, { token: clientToken })).toMatchObject({ status: 202 });

  await maintain(false);
  expect(await service.post('/api/admin/tag-types', { name: 'team' })).toMatchObject({ status: 201 });
  const types = (await serviceEvents(service.table)).slice(before.length - 1).map(({ type, data }) => [type, data]);
  expect(types).toContainEqual(['setting-updated', { id: 'maintenance.mode', hideEventDetails: true }]);
});
