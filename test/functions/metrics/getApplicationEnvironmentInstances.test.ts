import { expect } from 'vitest';
import { specify, test } from '../../specifications/specify.ts';

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
