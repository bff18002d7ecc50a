import { specify } from '../../specifications/specify.ts';

specify('getSimpleSettings', {
  route: 'GET /api/admin/auth/simple/settings',
  may: ['Admin'],
  needs: ['ADMIN', 'UPDATE_AUTH_CONFIGURATION'],
  request: () => ({}),
});
