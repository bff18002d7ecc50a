import { expect } from 'vitest';
import { specify, test } from '../../specifications/specify.ts';

specify('getTag', {
  route: 'GET /api/admin/tags/{type}/{value}',
  may: 'any token',
  request: async (world) => {
    const tag = { type: await world.tagType(), value: world.name('tag') };
    await world.ask('POST', '/api/admin/tags', tag);
    return { params: tag };
  },
});

test('A tag is found by its exact type and value, whatever the characters of the value', async ({ service }) => {
  const tag = { type: 'simple', value: 'a b & c?#ü 50%' };
  await service.post('/api/admin/tags', tag);
  const statusOf = async (path: string) => (await service.get(`/api/admin/tags/${path}`)).status;
  expect((await service.get(`/api/admin/tags/simple/${encodeURIComponent(tag.value)}`)).body).toEqual({
    version: 1,
    tag: { ...tag, color: '#FFFFFF' },
  });
  expect(await statusOf('simple/a')).toBe(404);
  expect(await statusOf(`missing/${encodeURIComponent(tag.value)}`)).toBe(404);
});
