import { beforeAll, describe, expect, test } from 'vitest';
import { addFeatures, importFileParts, paths, shopSeed } from '../../harness/features.ts';
import { sharedService, specify } from '../../specifications/specify.ts';

specify('getEnvironmentFeatureVariants', {
  route: 'GET /api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/variants',
  may: 'any token',
  request: async (world) => ({ params: (await world.feature()).place }),
  ofArchived: true,
});

const variants = [
  {
    name: 'blue',
    weight: 333,
    weightType: 'fix',
    stickiness: 'userId',
    payload: { type: 'json', value: '{"colour":"blue"}' },
    overrides: [{ contextName: 'userId', values: ['7', 'x'] }],
  },
  { name: 'plain', weight: 0 },
  { name: 'empty', weight: 1000, payload: { type: 'string', value: '' }, stickiness: '', overrides: [] },
];

const service = sharedService(shopSeed);
beforeAll(async () => {
  const featureEnvironments = [{ featureName: 'varied', name: 'staging', enabled: false, variants }];
  const place = { project: 'shop', environment: 'staging' };
  await importFileParts(service, { features: [{ name: 'varied' }], featureEnvironments }, place);
  await addFeatures(service, ['plain']);
});

const read = (name: string, environment: string, project: string) =>
  service.get(paths.variants(name, environment, project));

describe('The variants of a feature in an environment', () => {
  test('are a 404 where the project does not have the environment', async () => {
    expect(await read('varied', 'production', 'shop')).toMatchObject({ status: 404 });
  });

  test('are answered as they were imported, in version 1', async () => {
    const { status, body } = await read('varied', 'staging', 'shop');
    expect([status, body]).toEqual([200, { version: 1, variants }]);
  });

  test('are an empty list in an environment where it has none', async () => {
    expect((await read('varied', 'development', 'shop')).body).toEqual({ version: 1, variants: [] });
    expect((await read('plain', 'production', 'default')).body).toEqual({ version: 1, variants: [] });
  });

  test('are not those of its strategies', async () => {
    const variant = { name: 'a', weight: 0, weightType: 'variable', stickiness: 'default' };
    await service.post(paths.strategies('plain'), { name: 'flexibleRollout', variants: [variant] });
    expect((await read('plain', 'development', 'default')).body).toEqual({ version: 1, variants: [] });
  });

  test('show in the feature, too, with their number', async () => {
    const { body } = await service.put(paths.feature('varied', 'shop'));
    expect(body.environments).toMatchObject([
      { name: 'development', variantCount: 0, variants: [] },
      { name: 'staging', variantCount: 3, variants },
    ]);
  });
});
