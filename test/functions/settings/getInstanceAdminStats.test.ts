import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { openTo, specify, test } from '../../specifications/specify.ts';

specify('getInstanceAdminStats', {
  route: 'GET /api/admin/instance-admin/statistics',
  ...openTo('Admin', 'ADMIN'),
  given: async (world) => {
    const constraints = [{ contextName: 'userId', operator: 'IN', values: ['1'] }];
    await world.feature({ project: await world.project(), strategies: [{ name: 'default', constraints }] });
  },
  // Which projects there are, then each of them, then the events.
  waits: 3,
});

test('It finds the most constraints of a live feature, and the most values of one', async ({ service, world }) => {
  const constraint = (...values: string[]) => ({ contextName: 'userId', operator: 'IN', values });
  const mostOf = async () => {
    const { maxConstraints, maxConstraintValues } = (await service.get('/api/admin/instance-admin/statistics')).body;
    return { maxConstraints, maxConstraintValues };
  };
  await world.feature({ strategies: [{ name: 'default' }] });
  expect(await mostOf()).toEqual({ maxConstraints: 0, maxConstraintValues: 0 });
  await world.feature({ strategies: [{ name: 'default', constraints: [constraint('1'), constraint('2')] }] });
  // A disabled strategy counts, and one of an archived feature does not.
  const values = [constraint('1', '2', '3')];
  await world.feature({
    environment: 'production',
    strategies: [{ name: 'default', disabled: true, constraints: values }],
  });
  const many = [constraint('1', '2', '3', '4'), constraint('1'), constraint('1')];
  await world.feature({ archived: true, strategies: [{ name: 'default', constraints: many }] });
  expect(await mostOf()).toEqual({ maxConstraints: 2, maxConstraintValues: 3 });
});

test('It counts what there is, and what was changed in production', async ({ service, world }) => {
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
