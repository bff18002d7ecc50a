import { specify } from '../../specifications/specify.ts';

specify('getServiceAccountPermissions', {
  route: 'GET /api/admin/service-account/{id}/permissions',
  may: ['Admin'],
  needs: ['ADMIN'],
  request: async (world) => ({
    params: { id: (await world.serviceAccount()).id },
    query: { project: 'default', environment: 'development' },
  }),
  waits: 3,
});
