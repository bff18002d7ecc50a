import { expect } from 'vitest';
import { specify, test } from '../../specifications/specify.ts';

specify('validateTagType', {
  route: 'POST /api/admin/tag-types/validate',
  may: 'any token',
  request: (world) => ({
    body: { name: world.name('tag-type'), description: 'Who looks after it', icon: 'T', color: '#FF8800' },
  }),
  required: ['name'],
  nullable: ['description', 'icon', 'color'],
});

test('A name in use is a 409, what is no name a 400, and a tag type that could be created is answered', async ({
  service,
}) => {
  const validate = (name: string) => service.post('/api/admin/tag-types/validate', { name });
  expect((await validate('simple')).status).toBe(409);
  expect((await validate('a b')).status).toBe(400);
  expect((await validate('team')).body).toEqual({ valid: true, tagType: { name: 'team' } });
});
