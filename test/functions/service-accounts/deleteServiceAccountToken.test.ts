import { expect, test } from 'vitest';
import { freshService } from '../../harness/service.ts';
import { World } from '../../harness/world.ts';
import { specify } from '../../specifications/specify.ts';

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

test('A token goes under its own account only', async () => {
  const service = await freshService();
  const world = new World(service);
  const [one, other] = [await world.serviceAccount(), await world.serviceAccount()];
  const token = await world.serviceAccountToken(one.id);
  const remove = async (id: number) =>
    (await service.call('DELETE', `/api/admin/service-account/${id}/token/${token.id}`)).status;
  expect([await remove(other.id), await remove(one.id)]).toEqual([404, 200]);
});
