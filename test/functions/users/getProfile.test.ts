import { specify } from '../../specifications/specify.ts';

specify('getProfile', {
  route: 'GET /api/admin/user/profile',
  may: 'any token',
  request: async (world) => ({ headers: { authorization: await world.knownToken() } }),
});
