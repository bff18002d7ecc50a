import { describe, expect, test } from 'vitest';
import { paths } from '../../harness/features.ts';
import { sharedWorld, specify } from '../../specifications/specify.ts';

specify('getFeatureStrategies', {
  route: 'GET /api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/strategies',
  may: 'any token',
  request: async (world) => ({ params: (await world.feature({ on: true })).place }),
  misdescribed: 'a list; its document speaks of one strategy',
  ofArchived: true,
});

describe('The strategies of a feature in an environment', () => {
  const { service, world } = sharedWorld();
  const list = async (name: string, environment?: string) =>
    (await service.get(paths.strategies(name, environment))).body;

  test('come in their order, those of one environment only', async () => {
    const feature = await world.feature();
    const last = await world.strategy(feature, { name: 'default', sortOrder: 7, disabled: true });
    const first = await world.strategy(feature, { name: 'default', sortOrder: -1 });
    const strategies = await list(feature.name);
    expect(strategies.map(({ id }: { id: string }) => id)).toEqual([first, last]);
    expect(strategies[1]).toMatchObject({ name: 'default', featureName: feature.name, disabled: true, sortOrder: 7 });
    expect(await list(feature.name, 'production')).toEqual([]);
  });
});
