import { describe, expect, test } from 'vitest';
import { enabledCounts, eventTypesOf, paths, readState, shopSeed } from '../../harness/features.ts';
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
  const countDevelopment = async () => Number((await enabledCounts(service)).development);

  test('switches each on as it would be alone: with its own strategies, or the default one', async () => {
    const [bare, own, already] = [
      await world.feature(),
      await world.feature({ strategies: [{ name: 'default' }] }),
      await world.feature({ on: true }),
    ].map(({ name }) => name) as [string, string, string];
    const counted = await countDevelopment();
    expect(await on([bare, own, already, bare])).toMatchObject({ status: 200, text: '' });
    expect(await countDevelopment()).toBe(counted + 2);
    expect(await eventTypesOf(service, bare)).toEqual([
      'feature-created',
      'feature-strategy-add',
      'feature-environment-enabled',
    ]);
    expect(await eventTypesOf(service, own)).toEqual([
      'feature-created',
      'feature-strategy-add',
      'feature-environment-enabled',
    ]);
    expect((await readState(service, own)).strategies).toMatchObject([{ name: 'default' }]);
    expect((await eventTypesOf(service, already)).at(-1)).toBe('feature-environment-enabled');
    expect(await eventTypesOf(service, already)).toHaveLength(3);
  });

  test('enables disabled strategies on demand', async () => {
    const names = namesOf(await world.features(2, { strategies: [{ name: 'default', disabled: true }] }));
    expect((await on(names, '?shouldActivateDisabledStrategies=true')).status).toBe(200);
    for (const name of names) {
      expect(await readState(service, name)).toMatchObject({ enabled: true, strategies: [{ disabled: false }] });
    }
  });
});
