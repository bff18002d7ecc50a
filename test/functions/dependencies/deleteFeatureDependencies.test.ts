import { expect } from 'vitest';
import { eventsAddedBy, paths, readFeature } from '../../harness/features.ts';
import { specify, test } from '../../specifications/specify.ts';

specify('deleteFeatureDependencies', {
  route: 'DELETE /api/admin/projects/{projectId}/features/{featureName}/dependencies',
  may: ['Admin', 'Editor', 'Owner', 'Member'],
  needs: ['UPDATE_FEATURE_DEPENDENCY'],
  request: async (world) => {
    const parent = await world.shared('parent', () => world.feature());
    const { place } = await world.feature({ parents: [parent.name] });
    return { params: { projectId: place.projectId, featureName: place.featureName } };
  },
});

test('A feature depends on nothing any more, with one event however many parents it had', async ({
  service,
  world,
}) => {
  const parents = await world.featureNames(2);
  const { name } = await world.feature({ parents });
  const events = await eventsAddedBy(service, name, async () => {
    for (const _ of [1, 2]) {
      const answer = await service.call('DELETE', `${paths.feature(name)}/dependencies`);
      expect(answer).toMatchObject({ status: 200, text: '' });
    }
  });
  expect(events).toMatchObject([{ type: 'feature-dependencies-removed', data: null, preData: null }]);
  expect((await readFeature(service, name)).dependencies).toEqual([]);
  for (const parent of parents) expect((await readFeature(service, parent)).children).toEqual([]);
});
