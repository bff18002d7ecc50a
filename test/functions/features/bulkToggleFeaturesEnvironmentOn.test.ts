import { describe, expect, test } from 'vitest';
import { paths, readState, shopSeed } from '../../harness/features.ts';
import { sharedWorld, specify } from '../../specifications/specify.ts';

specify('bulkToggleFeaturesEnvironmentOn', {
  route: 'POST /api/admin/projects/{projectId}/bulk_features/environments/{environment}/on',
  unversioned: 'it is about many things',
  may: ['Admin', 'Editor', 'Owner', 'Member'],
  needs: ['UPDATE_FEATURE_ENVIRONMENT'],
  request: async (world) => ({ params: world.home, body: { features: [(await world.feature()).name] } }),
  others: {
    '50 features': async (world) => {
      const features = await world.features(50, { strategies: [{ name: 'default' }] });
      return { params: world.home, body: { features: features.map(({ name }) => name) }, size: 50 };
    },
  },
  eachOf: 'live',
  required: ['features'],
  waits: 3,
});

describe('Switching features on', () => {
  const { service, world } = sharedWorld(shopSeed);
  const on = (features: readonly string[], query = '') => service.post(`${paths.on()}${query}`, { features });
  const namesOf = (features: readonly { readonly name: string }[]) => features.map(({ name }) => name);

  test('keeps the strategies of those that have some', async () => {
    const [name = ''] = namesOf(await world.features(1, { strategies: [{ name: 'default' }] }));
    await on([name]);
    expect(await readState(service, name)).toMatchObject({ enabled: true, strategies: [{ name: 'default' }] });
  });

  test('enables disabled strategies on demand', async () => {
    const names = namesOf(await world.features(2, { strategies: [{ name: 'default', disabled: true }] }));
    expect((await on(names, '?shouldActivateDisabledStrategies=true')).status).toBe(200);
    for (const name of names) {
      expect(await readState(service, name)).toMatchObject({ enabled: true, strategies: [{ disabled: false }] });
    }
  });
});
