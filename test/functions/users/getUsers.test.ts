import { specify } from '../../specifications/specify.ts';

specify('getUsers', {
  route: 'GET /api/admin/user-admin',
  needs: ['ADMIN'],
  may: ['Admin'],
  request: async (world) => {
    await world.user();
    return {};
  },
});
