import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'DELETE /api/admin/groups/scim-groups',
  group: 'Groups',
  summary: 'Deletes the groups that a directory manages (SCIM); there are none.',
  permission: 'ADMIN',
  rights: 'none',
  responses: { 200: null },
}).handle(async () => {});
