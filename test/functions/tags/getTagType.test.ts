import { expect, test } from 'vitest';
import { freshService } from '../../harness/service.ts';
import { specify } from '../../specifications/specify.ts';

specify('getTagType', {
  route: 'GET /api/admin/tag-types/{name}',
  may: 'any token',
  request: async (world) => ({ params: { name: await world.tagType() } }),
});

test('A tag type is answered as Unleash documents it, and beside a version, as its UI reads it', async () => {
  const service = await freshService();
  const { tagTypes } = (await service.get('/api/admin/tag-types')).body;
  expect((await service.get('/api/admin/tag-types/simple')).body).toEqual({
    ...tagTypes[0],
    version: 1,
    tagType: tagTypes[0],
  });
});
