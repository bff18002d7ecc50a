import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'DELETE /api/admin/user-admin/scim-users',
  group: 'Users',
  summary: 'Deletes the users that SCIM has created; there are none.',
  permission: 'ADMIN',
  rights: 'none',
  responses: { 200: null },
}).handle(async () => {});
