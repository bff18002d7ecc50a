import { expect } from 'vitest';
import { serviceEvents } from '../../harness/service-events.ts';
import { specify, test } from '../../specifications/specify.ts';

specify('updateTagType', {
  route: 'PUT /api/admin/tag-types/{name}',
  may: ['Admin', 'Editor'],
  needs: ['UPDATE_TAG_TYPE'],
  request: async (world) => ({
    params: { name: await world.tagType() },
    body: { description: 'Who looks after it', icon: 'T', color: '#FF8800' },
  }),
  nullable: ['description', 'icon', 'color'],
});

test('An update changes what it names and keeps the rest; null clears', async ({ service, world }) => {
  const name = await world.tagType({ description: 'As it was', icon: 'T' });
  const read = async () => (await service.get(`/api/admin/tag-types/${name}`)).body.tagType;
  expect(await service.put(`/api/admin/tag-types/${name}`, { color: '#FF8800' })).toMatchObject({
    status: 200,
    text: '',
  });
  expect(await read()).toEqual({ name, description: 'As it was', icon: 'T', color: '#FF8800' });
  await service.put(`/api/admin/tag-types/${name}`, { description: null, icon: null, color: null });
  expect(await read()).toEqual({ name, description: '', icon: null, color: null });
  expect((await serviceEvents(service.table)).at(-1)).toMatchObject({
    type: 'tag-type-updated',
    data: { icon: null },
    preData: { icon: 'T' },
  });
});
