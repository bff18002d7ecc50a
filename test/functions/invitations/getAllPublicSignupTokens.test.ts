import { specify } from '../../specifications/specify.ts';

specify('getAllPublicSignupTokens', {
  route: 'GET /api/admin/invite-link/tokens',
  needs: ['ADMIN'],
  may: ['Admin'],
  request: async (world) => {
    await world.invitation();
    return {};
  },
});
