import { endpoint } from '../../lib/http/endpoint.ts';
import { deleteGroup } from '../../lib/people/groups/administer-groups.ts';
import { groupPath } from '../../lib/people/groups/group-schema.ts';

export const handler = endpoint({
  route: 'DELETE /api/admin/groups/{id}',
  group: 'Groups',
  summary: 'Deletes a group. Its members lose the rights that it gave them.',
  permission: 'ADMIN',
  params: groupPath,
  responses: { 200: null },
  etag: 'checked',
}).handle(({ request, caller, params }) => deleteGroup(request, caller, params.id));
