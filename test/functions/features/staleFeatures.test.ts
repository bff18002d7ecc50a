import { expect } from 'vitest';
import { eventsAddedBy, paths, readFeature } from '../../harness/features.ts';
import { ofFeatures } from '../../specifications/bodies.ts';
import { specify, test } from '../../specifications/specify.ts';

specify('staleFeatures', {
  route: 'POST /api/admin/projects/{projectId}/stale',
  unversioned: 'it is about many things',
  may: ['Admin', 'Editor', 'Owner', 'Member'],
  needs: ['UPDATE_FEATURE'],
  request: (world) => ofFeatures(world, 1, {}, { stale: true }),
  others: {
    '50 features': (world) => ofFeatures(world, 50, {}, { stale: true }),
  },
  eachOf: 'live',
  required: ['features', 'stale'],
  differs: '404 for an unknown or an archived feature',
});

test('Features that are marked as stale can be unmarked, with their events', async ({ service, world }) => {
  const features = await world.featureNames(2);
  const mark = (stale: boolean) => service.post(paths.bulk('stale'), { features, stale });
  const events = await eventsAddedBy(service, features[1] ?? '', async () => {
    for (const stale of [true, false]) await mark(stale);
  });
  const about = { project: 'default', data: null, preData: null };
  expect(events).toMatchObject([
    { type: 'feature-stale-on', ...about },
    { type: 'feature-stale-off', ...about },
  ]);
  for (const name of features) expect(await readFeature(service, name)).toMatchObject({ stale: false });
});
