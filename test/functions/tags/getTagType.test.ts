import { expect } from 'vitest';
import { specify, test } from '../../specifications/specify.ts';

specify('getTagType', {
  route: 'GET /api/admin/tag-types/{name}',
  may: 'any token',
  request: async (world) => ({ params: { name: await world.tagType() } }),
});

test('A tag type is answered as Unleash documents it, and beside a version, as its UI reads it', async ({
  service,
}) => {
  const { tagTypes } = (await service.get('/api/admin/tag-types')).body;
  expect((await service.get('/api/admin/tag-types/simple')).body).toEqual({
    ...tagTypes[0],
    version: 1,
    tagType: tagTypes[0],
  });
});
