import { specify } from '../../specifications/specify.ts';

specify('deleteScimUsers', {
  route: 'DELETE /api/admin/user-admin/scim-users',
  needs: ['ADMIN'],
  may: ['Admin'],
  request: () => ({}),
});
