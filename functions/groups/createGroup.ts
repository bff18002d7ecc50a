import { endpoint } from '../../lib/http/endpoint.ts';
import { createGroup } from '../../lib/people/groups/administer-groups.ts';
import { group, groupInput } from '../../lib/people/groups/group-schema.ts';

export const handler = endpoint({
  route: 'POST /api/admin/groups',
  group: 'Groups',
  summary: 'Creates a group. Its members have its root role, and its roles in projects.',
  permission: 'ADMIN',
  body: groupInput,
  responses: { 201: group },
  etag: true,
  errors: [409],
}).handle(
  ({ request, caller, body }) => createGroup(request, caller, body),
  ({ id }) => ({ headers: { location: `/api/admin/groups/${id}` } }),
);
