import { expect } from 'vitest';
import { eventsAddedBy, paths } from '../../harness/features.ts';
import { variantPlaces, variantsBody } from '../../specifications/bodies.ts';
import { openTo, specify, test } from '../../specifications/specify.ts';

specify('overwriteFeatureVariants', {
  route: 'PUT /api/admin/projects/{projectId}/features/{featureName}/variants',
  ...openTo('Member', 'UPDATE_FEATURE_VARIANTS'),
  request: async (world) => ({ params: (await world.feature()).place, body: variantsBody }),
  required: variantPlaces,
});

test('Overwriting the variants of a feature changes all environments together', async ({ service, world }) => {
  const { name } = await world.feature();
  const events = await eventsAddedBy(service, name, async () => {
    const { body } = await service.put(`${paths.feature(name)}/variants`, [{ name: 'a', weight: 0 }]);
    expect(body).toMatchObject({ version: 1, variants: [{ name: 'a', weight: 1000 }] });
  });
  expect(events.map(({ environment }) => environment).toSorted()).toEqual(['development', 'production']);
  for (const environment of ['development', 'production']) {
    expect((await service.get(paths.variants(name, environment))).body.variants).toMatchObject([{ name: 'a' }]);
  }
});

test('Who may change variants in one environment changes none of the whole feature', async ({ service, world }) => {
  const { name } = await world.feature();
  const role = await world.role({
    permissions: [
      { name: 'UPDATE_FEATURE_VARIANTS' },
      { name: 'UPDATE_FEATURE_ENVIRONMENT_VARIANTS', environment: 'development' },
    ],
  });
  const token = await world.tokenOfRole(3, [{ project: 'default', roles: [role] }]);
  const path = `${paths.feature(name)}/variants`;
  const inDevelopment = await service.put(paths.variants(name, 'development'), [{ name: 'a', weight: 0 }], { token });
  expect(inDevelopment.status).toBe(200);
  const { status, body } = await service.put(path, [{ name: 'a', weight: 0 }], { token });
  expect([status, body.message]).toEqual([403, expect.stringContaining('UPDATE_FEATURE_ENVIRONMENT_VARIANTS')]);
  const patch = [{ op: 'add', path: '/0', value: { name: 'b', weight: 0 } }];
  expect((await service.call('PATCH', path, { token, body: patch })).status).toBe(403);
  expect((await service.get(paths.variants(name, 'production'))).body.variants).toEqual([]);
});
