import { expect } from 'vitest';
import { newTokenOf } from '../../harness/features.ts';
import { specify, test } from '../../specifications/specify.ts';

specify('deletePat', {
  route: 'DELETE /api/admin/user/tokens/{id}',
  unversioned: 'it is there or not, and never changes',
  may: 'any token',
  request: async (world) => {
    const user = await world.user();
    const { secret: authorization } = await world.pat(user);
    await world.ask('GET', '/api/admin/user', undefined, { authorization });
    return { headers: { authorization }, params: { id: (await world.pat(user)).id } };
  },
  again: 404,
});

test('Nobody deletes the token of somebody else', async ({ service }) => {
  const [zoe, bob] = [await newTokenOf(service, { username: 'zoe' }), await newTokenOf(service, { username: 'bob' })];
  const [{ id }] = (await service.get('/api/admin/user/tokens', { token: zoe })).body.pats;
  const remove = (token: string) => service.call('DELETE', `/api/admin/user/tokens/${id}`, { token });
  expect(await remove(bob)).toMatchObject({ status: 404 });
  expect(await remove(service.adminToken)).toMatchObject({ status: 403 });
  expect(await remove(zoe)).toMatchObject({ status: 200 });
});
