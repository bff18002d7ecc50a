import { specify } from '../../specifications/specify.ts';

specify('getInstanceAdminStatsCsv', {
  route: 'GET /api/admin/instance-admin/statistics/csv',
  may: ['Admin'],
  needs: ['ADMIN'],
  request: async (world) => {
    const constraints = [{ contextName: 'userId', operator: 'IN', values: ['1'] }];
    await world.feature({ project: await world.project(), strategies: [{ name: 'default', constraints }] });
    return {};
  },
  // Which projects there are, then each of them, then the events.
  waits: 3,
});
