import { specify } from '../../specifications/specify.ts';

specify('getAdminCount', {
  route: 'GET /api/admin/user-admin/admin-count',
  needs: ['ADMIN'],
  may: ['Admin'],
  request: () => ({}),
});
