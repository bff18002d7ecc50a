import { describe, expect, test } from 'vitest';
import { paths, readState, shopSeed } from '../../harness/features.ts';
import { ofFeatures } from '../../specifications/bodies.ts';
import { openTo, sharedWorld, specify } from '../../specifications/specify.ts';

specify('bulkToggleFeaturesEnvironmentOn', {
  route: 'POST /api/admin/projects/{projectId}/bulk_features/environments/{environment}/on',
  unversioned: 'it is about many things',
  ...openTo('Member', 'UPDATE_FEATURE_ENVIRONMENT'),
  request: (world) => ofFeatures(world, 1, {}),
  others: {
    '50 features': (world) => ofFeatures(world, 50, { strategies: [{ name: 'default' }] }),
  },
  eachOf: 'live',
  required: ['features'],
  waits: 3,
});

describe('Switching features on', () => {
  const { service, world } = sharedWorld(shopSeed);
  const on = (features: readonly string[], query = '') => service.post(`${paths.on()}${query}`, { features });

  test('keeps the strategies of those that have some', async () => {
    const [name = ''] = await world.featureNames(1, { strategies: [{ name: 'default' }] });
    await on([name]);
    expect(await readState(service, name)).toMatchObject({ enabled: true, strategies: [{ name: 'default' }] });
  });

  test('enables disabled strategies on demand', async () => {
    const names = await world.featureNames(2, { strategies: [{ name: 'default', disabled: true }] });
    expect((await on(names, '?shouldActivateDisabledStrategies=true')).status).toBe(200);
    for (const name of names) {
      expect(await readState(service, name)).toMatchObject({ enabled: true, strategies: [{ disabled: false }] });
    }
  });
});
