import { describe, expect, test } from 'vitest';
import { eventsAddedBy, paths, problemPaths } from '../../harness/features.ts';
import { variantPlaces, variantsBody } from '../../specifications/bodies.ts';
import { openTo, sharedWorld, specify } from '../../specifications/specify.ts';

specify('overwriteEnvironmentFeatureVariants', {
  route: 'PUT /api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/variants',
  ...openTo('Member', 'UPDATE_FEATURE_ENVIRONMENT_VARIANTS'),
  request: async (world) => ({ params: (await world.feature()).place, body: variantsBody }),
  required: variantPlaces,
  differs: 'of any feature, where Unleash takes it only of one that has some',
});

describe('Overwriting the variants of a feature in an environment', () => {
  const { service, world } = sharedWorld();
  const overwrite = (name: string, variants: unknown, environment?: string) =>
    service.put(paths.variants(name, environment), variants);
  const read = async (name: string, environment?: string) =>
    (await service.get(paths.variants(name, environment))).body;

  test('stores them in their order with final weights, and fills in what is left out', async () => {
    const { name } = await world.feature();
    const fixed = { name: 'fixed', weight: 100, weightType: 'fix', stickiness: 'userId' };
    const payload = { type: 'json', value: '{"a":1}' };
    const { status, body } = await overwrite(name, [
      { name: 'z', weight: 0 },
      { ...fixed, payload, overrides: [{ contextName: 'userId', values: ['7'] }] },
      { name: 'a', weight: 1000, weightType: 'variable' },
      { name: 'b', weight: 1, more: true },
    ]);
    const variable = { weight: 300, weightType: 'variable', stickiness: 'default' };
    expect([status, body]).toEqual([
      200,
      {
        version: 1,
        variants: [
          { ...variable, name: 'z' },
          { ...fixed, payload, overrides: [{ contextName: 'userId', values: ['7'] }] },
          { ...variable, name: 'a' },
          { ...variable, name: 'b' },
        ],
      },
    ]);
    expect(await read(name)).toEqual(body);
    expect(await read(name, 'production')).toEqual({ version: 1, variants: [] });
  });

  test('tells what they were and what they are, and nothing where they are the same', async () => {
    const { name } = await world.feature();
    const variants = [{ name: 'a', weight: 1000, weightType: 'variable', stickiness: 'default' }];
    const events = await eventsAddedBy(service, name, async () => {
      await overwrite(name, variants);
      await overwrite(name, [{ name: 'a', weight: 0 }]);
      await overwrite(name, []);
    });
    expect(events).toMatchObject([
      { environment: 'development', preData: { variants: [] }, data: { variants } },
      { environment: 'development', preData: { variants }, data: { variants: [] } },
    ]);
    for (const { type } of events) expect(type).toBe('feature-environment-variants-updated');
  });

  // test/lib/features/environments/variant-schema.test.ts has all that is refused.
  test('is refused where fixed weights leave no room, and changes nothing', async () => {
    const { name } = await world.feature();
    expect(problemPaths(await overwrite(name, [{ name: 'a', weight: 1000, weightType: 'fix' }]))).toEqual(['']);
    expect(await read(name)).toEqual({ version: 1, variants: [] });
  });
});
