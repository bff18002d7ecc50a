import { specify } from '../../specifications/specify.ts';

specify('getMaintenance', {
  route: 'GET /api/admin/maintenance',
  may: ['Admin'],
  needs: ['ADMIN', 'UPDATE_MAINTENANCE_MODE'],
  request: () => ({}),
});
