import { describe, expect, test } from 'vitest';
import { eventTypesOf, paths, readFeature, shopSeed } from '../../harness/features.ts';
import { sharedWorld, specify } from '../../specifications/specify.ts';

specify('reviveFeatures', {
  route: 'POST /api/admin/projects/{projectId}/revive',
  unversioned: 'it is about many things',
  may: ['Admin', 'Editor', 'Owner', 'Member'],
  needs: ['UPDATE_FEATURE'],
  request: async (world) => ({
    params: world.home,
    body: { features: [(await world.feature({ archived: true })).name] },
  }),
  others: {
    '50 features': async (world) => {
      const features = await world.features(50, { archived: true });
      return { params: world.home, body: { features: features.map(({ name }) => name) }, size: 50 };
    },
  },
  eachOf: 'all',
  required: ['features'],
  differs: '404 for an unknown feature',
});

describe('Reviving features', () => {
  const { service, world } = sharedWorld(shopSeed);
  const revive = (features: readonly string[]) => service.post(paths.bulk('revive'), { features });
  const namesOf = (features: readonly { readonly name: string }[]) => features.map(({ name }) => name);

  test('revives each off, with its events, and leaves those that are live', async () => {
    const [on] = namesOf(await world.features(1, { archived: true, on: true })) as [string];
    const [off] = namesOf(await world.features(1, { archived: true })) as [string];
    const [live] = namesOf(await world.features(1, { on: true })) as [string];
    expect(await revive([on, live, off, on])).toMatchObject({ status: 200, text: '' });
    expect((await eventTypesOf(service, on)).slice(-2)).toEqual(['feature-revived', 'feature-environment-disabled']);
    expect((await eventTypesOf(service, off)).at(-1)).toBe('feature-revived');
    expect(await readFeature(service, on)).toMatchObject({ archived: false, enabled: false });
    expect(await readFeature(service, live)).toMatchObject({ archived: false, enabled: true });
  });
});
