import { expect } from 'vitest';
import { eventsAddedBy, paths, readFeature } from '../../harness/features.ts';
import { specify, test } from '../../specifications/specify.ts';

specify('deleteFeatureDependency', {
  route: 'DELETE /api/admin/projects/{projectId}/features/{featureName}/dependencies/{parent}',
  may: ['Admin', 'Editor', 'Owner', 'Member'],
  needs: ['UPDATE_FEATURE_DEPENDENCY'],
  request: async (world) => {
    const parent = await world.shared('parent', () => world.feature());
    const { place } = await world.feature({ parents: [parent.name] });
    return { params: { projectId: place.projectId, featureName: place.featureName, parent: parent.name } };
  },
  again: 404,
});

test('A feature depends no more on one parent, and still on the others', async ({ service, world }) => {
  const [one, other] = (await world.featureNames(2)) as [string, string];
  const { name } = await world.feature({ parents: [one, other] });
  const events = await eventsAddedBy(service, name, () =>
    service.call('DELETE', `${paths.feature(name)}/dependencies/${one}`),
  );
  expect(events).toMatchObject([{ type: 'feature-dependency-removed', data: { feature: one } }]);
  expect((await readFeature(service, name)).dependencies).toMatchObject([{ feature: other }]);
  expect((await readFeature(service, one)).children).toEqual([]);
  expect((await readFeature(service, other)).children).toEqual([name]);
});
