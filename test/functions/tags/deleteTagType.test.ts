import { expect } from 'vitest';
import { paths } from '../../harness/features.ts';
import { serviceEvents } from '../../harness/service-events.ts';
import { specify, test } from '../../specifications/specify.ts';

specify('deleteTagType', {
  route: 'DELETE /api/admin/tag-types/{name}',
  may: ['Admin', 'Editor'],
  needs: ['DELETE_TAG_TYPE'],
  request: async (world) => {
    const type = await world.tagType();
    await world.ask('POST', '/api/admin/tags', { type, value: world.name('tag') });
    return { params: { name: type } };
  },
  again: 404,
  // The counts are read first, then the tags of the type, the projects, and the tags of their features.
  waits: 5,
  differs: '409 while features have tags of the type, which Unleash takes from them',
});

test('A tag type is deleted with its tags once no feature has one, and who has one is named until then', async ({
  service,
  world,
}) => {
  const type = await world.tagType();
  const { name } = await world.feature({ tags: [{ type, value: 'shop' }] });
  const remove = () => service.call('DELETE', `/api/admin/tag-types/${type}`);
  expect(await remove()).toMatchObject({ status: 409, body: { name: 'InUseError' } });
  await world.ask('DELETE', `${paths.tags(name)}/${type}/shop`);
  expect(await remove()).toMatchObject({ status: 200, text: '' });
  expect((await serviceEvents(service.table)).at(-1)).toMatchObject({
    type: 'tag-type-deleted',
    preData: { name: type },
  });
  expect((await service.get(`/api/admin/tags/${type}/shop`)).status).toBe(404);
  expect((await service.post(paths.tags(name), { type, value: 'shop' })).status).toBe(400);
  // A new type of the name begins without tags.
  await world.ask('POST', '/api/admin/tag-types', { name: type });
  expect((await service.get(`/api/admin/tags/${type}`)).body.tags).toEqual([]);
  await world.ask('POST', paths.tags(name), { type, value: 'shop' });
});
