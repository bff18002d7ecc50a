import { expect } from 'vitest';
import { paths } from '../../harness/features.ts';
import { specify, test } from '../../specifications/specify.ts';

specify('getFeatureStrategies', {
  route: 'GET /api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/strategies',
  may: 'any token',
  request: async (world) => ({ params: (await world.feature({ on: true })).place }),
  misdescribed: 'a list; its document speaks of one strategy',
  ofArchived: true,
});

test('The strategies of a feature in an environment come in their order', async ({ service, world }) => {
  const feature = await world.feature();
  const last = await world.strategy(feature, { name: 'default', sortOrder: 7, disabled: true });
  const first = await world.strategy(feature, { name: 'default', sortOrder: -1 });
  const { body } = await service.get(paths.strategies(feature.name));
  expect(body.map(({ id }: { id: string }) => id)).toEqual([first, last]);
  expect(body[1]).toMatchObject({ name: 'default', featureName: feature.name, disabled: true, sortOrder: 7 });
  expect((await service.get(paths.strategies(feature.name, 'production'))).body).toEqual([]);
});
