import { expect } from 'vitest';
import { paths } from '../../harness/features.ts';
import { serviceEvents } from '../../harness/service-events.ts';
import { specify, test } from '../../specifications/specify.ts';

specify('deleteTag', {
  route: 'DELETE /api/admin/tags/{type}/{value}',
  unversioned: 'it is there or not, and never changes',
  may: ['Admin', 'Editor'],
  needs: ['UPDATE_FEATURE'],
  request: async (world) => {
    const tag = { type: await world.shared('tag type', () => world.tagType()), value: world.name('tag') };
    await world.ask('POST', '/api/admin/tags', tag);
    return { params: tag };
  },
  again: 404,
  // The count is read first, then the projects, and then the tags of their features.
  waits: 4,
  differs: '404 for a tag that is not known; 409 while features have it, from which Unleash takes it',
});

test('A tag is deleted once no feature has it, and who has it is named until then', async ({ service, world }) => {
  const tag = { type: 'simple', value: 'shop' };
  const { name } = await world.feature({ tags: [tag], archived: true });
  const remove = () => service.call('DELETE', '/api/admin/tags/simple/shop');
  expect(await remove()).toMatchObject({
    status: 409,
    body: { name: 'InUseError', message: `The tag "shop" of the type "simple" is in use: the feature "${name}".` },
  });
  await world.ask('POST', paths.revived(name));
  await world.ask('DELETE', `${paths.tags(name)}/simple/shop`);
  expect(await remove()).toMatchObject({ status: 200, text: '' });
  expect((await service.get('/api/admin/tags')).body.tags).toEqual([]);
  expect((await serviceEvents(service.table)).at(-1)).toMatchObject({ type: 'tag-deleted', preData: tag });
  expect((await service.post('/api/admin/tags', tag)).status).toBe(201);
});
