import { expect } from 'vitest';
import { paths } from '../../harness/features.ts';
import { wholeStrategy } from '../../specifications/bodies.ts';
import { specify, test } from '../../specifications/specify.ts';

specify('getFeatureStrategy', {
  route:
    'GET /api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/strategies/{strategyId}',
  may: 'any token',
  request: async (world) => {
    const feature = await world.feature();
    return { params: { ...feature.place, strategyId: await world.strategy(feature) } };
  },
  ofArchived: true,
});

test('A strategy is read as it was stored, by its own feature and environment alone', async ({ service, world }) => {
  const [feature, other] = await world.features(2);
  const { body: stored } = await service.post(paths.strategies(feature?.name ?? ''), await wholeStrategy(world));
  const read = (name = '', environment?: string) => service.get(`${paths.strategies(name, environment)}/${stored.id}`);
  expect(await read(feature?.name)).toMatchObject({ status: 200, body: stored });
  expect(await read(feature?.name, 'production')).toMatchObject({ status: 404 });
  expect(await read(other?.name)).toMatchObject({ status: 404 });
});
