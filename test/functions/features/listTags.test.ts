import { expect } from 'vitest';
import { specify, test } from '../../specifications/specify.ts';

specify('listTags', {
  route: 'GET /api/admin/features/{featureName}/tags',
  may: 'any token',
  request: async (world) => ({
    params: (await world.feature({ tags: [{ type: await world.tagType(), value: world.name('tag') }] })).place,
  }),
  ofArchived: true,
});

test('The tags of a feature are listed with the colors of their types, those of an archived one, too', async ({
  service,
  world,
}) => {
  const team = await world.tagType({ color: '#FF8800' });
  const tags = [
    { type: 'simple', value: 'new' },
    { type: team, value: 'shop' },
  ];
  for (const archived of [false, true]) {
    const { name } = await world.feature({ tags, archived });
    expect((await service.get(`/api/admin/features/${name}/tags`)).body).toEqual({
      version: 1,
      tags: [
        { type: 'simple', value: 'new', color: '#FFFFFF' },
        { type: team, value: 'shop', color: '#FF8800' },
      ],
    });
  }
});
