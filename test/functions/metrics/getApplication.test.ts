import { specify } from '../../specifications/specify.ts';

specify('getApplication', {
  route: 'GET /api/admin/metrics/applications/{appName}',
  may: 'any token',
  adds: ['createdAt', 'lastSeen', 'droppedParts'],
  request: async (world) => ({ params: { appName: await world.application() } }),
});
