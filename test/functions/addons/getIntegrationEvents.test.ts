import { specify } from '../../specifications/specify.ts';

specify('getIntegrationEvents', {
  route: 'GET /api/admin/addons/{id}/events',
  may: 'any token',
  request: async (world) => ({ params: { id: await world.addon() } }),
  differs: '404 for an unknown addon',
});
