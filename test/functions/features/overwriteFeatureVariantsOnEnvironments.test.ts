import { describe, expect } from 'vitest';
import { eventsAddedBy, paths } from '../../harness/features.ts';
import { variantPlaces, variantsBody } from '../../specifications/bodies.ts';
import { openTo, sharedWorld, specify, test } from '../../specifications/specify.ts';

specify('overwriteFeatureVariantsOnEnvironments', {
  route: 'PUT /api/admin/projects/{projectId}/features/{featureName}/variants-batch',
  ...openTo('Member', 'UPDATE_FEATURE_ENVIRONMENT_VARIANTS'),
  request: async (world) => ({
    params: (await world.feature()).place,
    body: { environments: ['development', 'production'], variants: variantsBody },
  }),
  required: ['environments', ...variantPlaces.map((place) => `variants.${place}`)],
  differs: 'answers the variants with their final weights',
});

describe('Overwriting the variants of a feature in several environments', () => {
  const { service, world } = sharedWorld();
  const overwrite = (name: string, body: object) => service.put(`${paths.feature(name)}/variants-batch`, body);
  const read = async (name: string, environment: string) =>
    (await service.get(paths.variants(name, environment))).body.variants;

  test('changes those that are named, once each, with an event for each that changes', async () => {
    const { name } = await world.feature({
      variants: [{ name: 'a', weight: 1000, weightType: 'variable', stickiness: 'default' }],
    });
    const environments = ['production', 'development', 'production'];
    const events = await eventsAddedBy(service, name, async () => {
      const { status, body } = await overwrite(name, { environments, variants: [{ name: 'a', weight: 0 }] });
      expect([status, body.variants]).toMatchObject([200, [{ name: 'a', weight: 1000 }]]);
    });
    // In development it is the same already.
    expect(events).toMatchObject([{ type: 'feature-environment-variants-updated', environment: 'production' }]);
    expect(await read(name, 'production')).toEqual(await read(name, 'development'));
  });

  test('takes them away where none are given', async () => {
    const { name } = await world.feature({ variants: [{ name: 'a', weight: 1000 }] });
    expect((await overwrite(name, { environments: ['development'] })).body).toEqual({ version: 1, variants: [] });
    expect(await read(name, 'development')).toEqual([]);
  });

  test('names every environment that is not in the project, and changes none', async () => {
    const { name } = await world.feature();
    const environments = ['development', 'nosuch', 'default'];
    expect(await overwrite(name, { environments, variants: [{ name: 'a', weight: 0 }] })).toMatchObject({
      status: 404,
      body: { details: [{ path: 'environments.1' }, { path: 'environments.2' }] },
    });
    expect(await read(name, 'development')).toEqual([]);
    expect(await overwrite(name, { environments: [] })).toMatchObject({ status: 400 });
  });
});

test('Who may change variants in one environment is refused for several at once', async ({ service, world }) => {
  const name = 'UPDATE_FEATURE_ENVIRONMENT_VARIANTS';
  const role = await world.role({ permissions: [{ name, environment: 'development' }] });
  const token = await world.tokenOfRole(3, [{ project: 'default', roles: [role] }]);
  const { place } = await world.feature();
  const set = async (environments: string[]) =>
    (
      await service.call('PUT', `/api/admin/projects/default/features/${place.featureName}/variants-batch`, {
        token,
        body: { environments, variants: [] },
      })
    ).status;
  expect(await set(['development'])).toBe(200);
  expect(await set(['development', 'production'])).toBe(403);
});
