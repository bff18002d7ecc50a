import { expect } from 'vitest';
import { paths } from '../../harness/features.ts';
import { specify, test } from '../../specifications/specify.ts';

specify('getFeatureVariants', {
  route: 'GET /api/admin/projects/{projectId}/features/{featureName}/variants',
  may: 'any token',
  request: async (world) => ({ params: (await world.feature()).place }),
  ofArchived: true,
});

test('The variants of a feature are those of the first environment', async ({ service, world }) => {
  const variants = [{ name: 'a', weight: 1000, weightType: 'variable', stickiness: 'default' }];
  const [first, second] = [
    await world.feature({ variants }),
    await world.feature({ variants, environment: 'production' }),
  ];
  const read = async (name: string) => (await service.get(`${paths.feature(name)}/variants`)).body;
  expect(await read(first.name)).toEqual({ version: 1, variants });
  expect(await read(second.name)).toEqual({ version: 1, variants: [] });
});
