import { describe, expect, test } from 'vitest';
import { eventsAddedBy, featureMaker, paths, readFeature, shopSeed } from '../../harness/features.ts';
import { sharedService, specify } from '../../specifications/specify.ts';

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

const service = sharedService(shopSeed);

const newFeature = featureMaker(() => service);
const remove = (name: string, type: string, value: string) =>
  service.call('DELETE', `${paths.tags(name)}/${type}/${encodeURIComponent(value)}`);

describe('Removing a tag from a feature', () => {
  test('leaves its other tags, and tells of it', async () => {
    const name = await newFeature();
    for (const value of ['a b & c?#ü 50%', 'other']) await service.post(paths.tags(name), { value });
    const events = await eventsAddedBy(service, name, async () => {
      expect(await remove(name, 'simple', 'a b & c?#ü 50%')).toMatchObject({ status: 200, text: '' });
    });
    const tags = [{ type: 'simple', value: 'other' }];
    expect(events).toMatchObject([
      { type: 'feature-untagged', preData: { type: 'simple', value: 'a b & c?#ü 50%' }, tags },
    ]);
    expect((await readFeature(service, name)).tags).toEqual(tags);
  });
});
