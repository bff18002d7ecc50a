import { expect } from 'vitest';
import { specify, test } from '../../specifications/specify.ts';

specify('deleteServiceAccountToken', {
  route: 'DELETE /api/admin/service-account/{id}/token/{tokenId}',
  unversioned: 'it is there or not, and never changes',
  may: ['Admin'],
  needs: ['ADMIN'],
  request: async (world) => {
    const account = await world.serviceAccount();
    return { params: { id: account.id, tokenId: (await world.pat(account)).id } };
  },
  again: 404,
});

test('A token goes under its own account only', async ({ service, world }) => {
  const [one, other] = [await world.serviceAccount(), await world.serviceAccount()];
  const token = await world.serviceAccountToken(one.id);
  const remove = async (id: number) =>
    (await service.call('DELETE', `/api/admin/service-account/${id}/token/${token.id}`)).status;
  expect([await remove(other.id), await remove(one.id)]).toEqual([404, 200]);
});
