import { expect } from 'vitest';
import { specify, test } from '../../specifications/specify.ts';

specify('searchUsers', {
  route: 'GET /api/admin/user-admin/search',
  needs: ['ADMIN'],
  may: ['Admin'],
  request: async (world) => ({ query: { q: (await world.user()).username } }),
});

test('Users are found by the beginning of what they are called, of two characters or more', async ({ service }) => {
  const path = '/api/admin/user-admin';
  await service.post(path, { username: 'zoe', name: 'Zoe Q', email: 'z@flags.example.com', rootRole: 3 });
  const found = async (q: string) =>
    (await service.get(`${path}/search?q=${q}`)).body.map(({ id }: { id: number }) => id);
  const [id] = await found('zoe');
  expect(id).toEqual(expect.any(Number));
  for (const q of ['ZO', 'zoe%20q', 'Z@flags.example']) expect(await found(q)).toEqual([id]);
  for (const q of ['z', '', 'nobody', 'oe', 'flags.example', '%25oe', '__e']) expect(await found(q)).toEqual([]);
});
