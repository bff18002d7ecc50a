import { expect } from 'vitest';
import { eventsAddedBy, paths, readFeature } from '../../harness/features.ts';
import { specify, test } from '../../specifications/specify.ts';

specify('deleteFeatureLink', {
  route: 'DELETE /api/admin/projects/{projectId}/features/{featureName}/link/{linkId}',
  may: ['Admin', 'Editor', 'Owner', 'Member'],
  needs: ['UPDATE_FEATURE'],
  request: async (world) => ({ params: await world.link() }),
  again: 404,
});

test('Removing a link leaves the others, and tells which it was', async ({ service, world }) => {
  const { featureName: name, linkId } = await world.link();
  await service.post(`${paths.feature(name)}/link`, { url: 'https://example.com/8' });
  const events = await eventsAddedBy(service, name, async () => {
    expect(await service.call('DELETE', `${paths.feature(name)}/link/${linkId}`)).toMatchObject({ status: 204 });
  });
  expect(events).toMatchObject([
    { type: 'feature-link-removed', preData: { url: 'https://example.com/7' }, data: null },
  ]);
  expect((await readFeature(service, name)).links).toMatchObject([{ url: 'https://example.com/8' }]);
});
