import { specify } from '../../specifications/specify.ts';

specify('getChangeRequestSettings', {
  route: 'GET /api/admin/change-requests/settings',
  may: ['Admin'],
  needs: ['ADMIN'],
  request: () => ({}),
});
