import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { freshService } from '../../harness/service.ts';
import { World } from '../../harness/world.ts';
import { specify } from '../../specifications/specify.ts';

specify('getInstanceAdminStats', {
  route: 'GET /api/admin/instance-admin/statistics',
  may: ['Admin'],
  needs: ['ADMIN'],
  request: async (world) => {
    await world.feature({ project: await world.project() });
    return {};
  },
  // Unleash really answers them.
  adds: [
    'serviceAccounts',
    'archivedFeatureToggles',
    'customRootRoles',
    'customRootRolesInUse',
    'passwordAuthEnabled',
    'SCIMenabled',
  ],
  // Which projects there are, then each of them, then the events.
  waits: 3,
});

test('It counts what there is, and what was changed in production', async () => {
  const service = await freshService();
  const world = new World(service);
  await world.feature({ environment: 'production', on: true, strategies: [{ name: 'default' }, { name: 'default' }] });
  await world.feature({ archived: true });
  await world.clientToken();
  const path = '/api/admin/instance-admin/statistics';
  const { body } = await service.get(path);
  expect(body).toMatchObject({
    featureToggles: 1,
    archivedFeatureToggles: 1,
    projects: 1,
    users: 1,
    apiTokens: { admin: 1, client: 1, frontend: 0 },
    featureImports: 2,
    maxEnvironmentStrategies: 2,
    SAMLenabled: false,
    OIDCenabled: false,
    passwordAuthEnabled: true,
    activeUsers: { last7: 0, last90: 0 },
  });
  // An instance of Unleash 7.6.5 makes it of these.
  const summed = [body.instanceId, 1, 1, 1, body.roles, body.groups, body.environments, body.segments].join('');
  expect(body.sum).toBe(createHash('sha256').update(summed).digest('hex'));
  expect(body.productionChanges.last30).toBeGreaterThan(0);
  expect((await service.get(path)).body.instanceId).toBe(body.instanceId);

  const csv = (await service.get(`${path}/csv`)).text.split('\n');
  expect(csv).toHaveLength(2);
  expect(csv[0]?.split(',')).toEqual(Object.keys(body).map((name) => `"${name}"`));
  expect(csv[1]).toContain(`"{""admin"":1,""client"":1,""frontend"":0}"`);
});
