import { specify } from '../../specifications/specify.ts';

specify('getServiceAccountTokens', {
  route: 'GET /api/admin/service-account/{id}/token',
  may: ['Admin'],
  needs: ['ADMIN'],
  request: async (world) => {
    const { id } = await world.serviceAccount();
    await world.serviceAccountToken(id);
    return { params: { id } };
  },
});
