import { expect } from 'vitest';
import { eventsAddedBy, paths, readFeature } from '../../harness/features.ts';
import { specify, test } from '../../specifications/specify.ts';

specify('removeTag', {
  route: 'DELETE /api/admin/features/{featureName}/tags/{type}/{value}',
  versionAt: 'GET /api/admin/projects/{projectId}/features/{featureName}',
  may: ['Admin', 'Editor', 'Owner', 'Member'],
  needs: ['UPDATE_FEATURE'],
  request: async (world) => {
    const tag = { type: await world.shared('tag type', () => world.tagType()), value: world.name('tag') };
    return { params: { ...(await world.feature({ tags: [tag] })).place, ...tag }, project: world.home.projectId };
  },
  takesAnyName: ['type', 'value'],
});

test('Removing a tag from a feature leaves its other tags, and tells of it', async ({ service, world }) => {
  const tag = { type: 'simple', value: 'a b & c?#ü 50%' };
  const other = { type: 'simple', value: 'other' };
  const { name } = await world.feature({ tags: [tag, other] });
  const events = await eventsAddedBy(service, name, async () => {
    const path = `${paths.tags(name)}/simple/${encodeURIComponent(tag.value)}`;
    expect(await service.call('DELETE', path)).toMatchObject({ status: 200, text: '' });
  });
  expect(events).toMatchObject([{ type: 'feature-untagged', preData: tag, tags: [other] }]);
  expect((await readFeature(service, name)).tags).toEqual([other]);
});
