import { specify } from '../../specifications/specify.ts';

specify('getMaintenance', {
  route: 'GET /api/admin/maintenance',
  may: ['Admin'],
  needs: ['ADMIN'],
  request: () => ({}),
});
