import { specify } from '../../specifications/specify.ts';

specify('getPats', {
  route: 'GET /api/admin/user/tokens',
  may: 'any token',
  request: async (world) => ({ headers: { authorization: await world.knownToken() } }),
});
