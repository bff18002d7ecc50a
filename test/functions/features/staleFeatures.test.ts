import { describe, expect, test } from 'vitest';
import { eventsAddedBy, eventTypesOf, paths, readFeature, shopSeed } from '../../harness/features.ts';
import { sharedWorld, specify } from '../../specifications/specify.ts';

specify('staleFeatures', {
  route: 'POST /api/admin/projects/{projectId}/stale',
  unversioned: 'it is about many things',
  may: ['Admin', 'Editor', 'Owner', 'Member'],
  needs: ['UPDATE_FEATURE'],
  request: async (world) => ({
    params: world.home,
    body: { features: [(await world.feature()).name], stale: true },
  }),
  others: {
    '50 features': async (world) => {
      const features = await world.features(50);
      return { params: world.home, body: { features: features.map(({ name }) => name), stale: true }, size: 50 };
    },
  },
  eachOf: 'live',
  required: ['features', 'stale'],
  differs: '404 for an unknown or an archived feature',
});

describe('Marking features as stale', () => {
  const { service, world } = sharedWorld(shopSeed);
  const mark = (features: readonly string[], stale = true) => service.post(paths.bulk('stale'), { features, stale });

  test('marks each once, with its event, and takes it back', async () => {
    const [first, second] = (await world.features(2)).map(({ name }) => name) as [string, string];
    const events = await eventsAddedBy(service, first, async () => {
      expect(await mark([first, second, first])).toMatchObject({ status: 202, text: '' });
      expect((await mark([first])).status).toBe(202);
    });
    expect(events).toMatchObject([{ type: 'feature-stale-on', project: 'default', data: null, preData: null }]);
    expect(await readFeature(service, second)).toMatchObject({ stale: true });
    await mark([first, second], false);
    expect((await eventTypesOf(service, second)).slice(-2)).toEqual(['feature-stale-on', 'feature-stale-off']);
    expect(await readFeature(service, first)).toMatchObject({ stale: false });
  });
});
