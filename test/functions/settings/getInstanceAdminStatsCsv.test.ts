import { specify } from '../../specifications/specify.ts';

specify('getInstanceAdminStatsCsv', {
  route: 'GET /api/admin/instance-admin/statistics/csv',
  may: ['Admin'],
  needs: ['ADMIN'],
  request: async (world) => {
    await world.feature({ project: await world.project() });
    return {};
  },
  // Which projects there are, then each of them, then the events.
  waits: 3,
});
