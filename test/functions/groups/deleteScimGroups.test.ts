import { specify } from '../../specifications/specify.ts';

specify('deleteScimGroups', {
  route: 'DELETE /api/admin/groups/scim-groups',
  may: ['Admin'],
  needs: ['ADMIN'],
  request: () => ({}),
  waits: 0,
  again: 'nothing',
});
