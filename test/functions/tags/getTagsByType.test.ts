import { expect } from 'vitest';
import { specify, test } from '../../specifications/specify.ts';

specify('getTagsByType', {
  route: 'GET /api/admin/tags/{type}',
  may: 'any token',
  request: async (world) => {
    const type = await world.tagType();
    await world.feature({ tags: [{ type, value: world.name('tag') }] });
    return { params: { type } };
  },
  takesAnyName: ['type'],
});

test('The tags of a type are listed by value, and those of an unknown type are none', async ({ service, world }) => {
  const type = await world.tagType();
  for (const value of ['two', 'one']) await service.post('/api/admin/tags', { type, value });
  const listed = async (name: string) => (await service.get(`/api/admin/tags/${name}`)).body;
  expect(await listed(type)).toEqual({
    version: 1,
    tags: [
      { type, value: 'one', color: null },
      { type, value: 'two', color: null },
    ],
  });
  expect(await listed('missing')).toEqual({ version: 1, tags: [] });
});
