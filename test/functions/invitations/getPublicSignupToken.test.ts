import { specify } from '../../specifications/specify.ts';

specify('getPublicSignupToken', {
  route: 'GET /api/admin/invite-link/tokens/{token}',
  needs: ['ADMIN'],
  may: ['Admin'],
  request: async (world) => ({ params: { token: await world.invitation() } }),
});
