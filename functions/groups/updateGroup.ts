import { endpoint } from '../../lib/http/endpoint.ts';
import { updateGroup } from '../../lib/people/groups/administer-groups.ts';
import { group, groupInput, groupPath } from '../../lib/people/groups/group-schema.ts';

export const handler = endpoint({
  route: 'PUT /api/admin/groups/{id}',
  group: 'Groups',
  summary: 'Updates a group. `users` replaces all its members; omitted fields stay as they are.',
  permission: 'ADMIN',
  params: groupPath,
  body: groupInput,
  responses: { 200: group },
  etag: true,
  errors: [404, 409],
}).handle(({ request, caller, params, body }) => updateGroup(request, caller, params.id, body));
