import { expect } from 'vitest';
import { specify, test } from '../../specifications/specify.ts';

specify('getTags', {
  route: 'GET /api/admin/tags',
  may: 'any token',
  request: async (world) => {
    await world.feature({ tags: [{ type: await world.tagType(), value: world.name('tag') }] });
    return {};
  },
  // The types are asked for first, and then the tags of all of them.
  waits: 2,
});

test('Tags of all types are listed, each once, with the color of its type', async ({ service, world }) => {
  const team = await world.tagType({ color: '#FF8800' });
  const tags = [
    { type: team, value: 'shop' },
    { type: 'simple', value: 'new' },
  ];
  for (const _ of [1, 2]) await world.feature({ tags });
  await service.post('/api/admin/tags', { type: 'simple', value: 'created alone' });
  expect((await service.get('/api/admin/tags')).body).toEqual({
    version: 1,
    tags: [
      { type: 'simple', value: 'created alone', color: '#FFFFFF' },
      { type: 'simple', value: 'new', color: '#FFFFFF' },
      { type: team, value: 'shop', color: '#FF8800' },
    ],
  });
});
