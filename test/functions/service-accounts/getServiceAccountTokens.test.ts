import { specify } from '../../specifications/specify.ts';

specify('getServiceAccountTokens', {
  route: 'GET /api/admin/service-account/{id}/token',
  may: ['Admin'],
  needs: ['ADMIN'],
  request: async (world) => {
    const account = await world.serviceAccount();
    await world.pat(account);
    return { params: { id: account.id } };
  },
});
