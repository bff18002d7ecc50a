import { endpoint } from '../../lib/http/endpoint.ts';
import { findGroup } from '../../lib/people/groups/administer-groups.ts';
import { group, groupPath } from '../../lib/people/groups/group-schema.ts';

export const handler = endpoint({
  route: 'GET /api/admin/groups/{id}',
  group: 'Groups',
  summary: 'Returns a group with its members, and the projects where it has roles.',
  permission: 'ADMIN',
  params: groupPath,
  responses: { 200: group },
  etag: true,
}).handle(({ request, params }) => findGroup(request, params.id));
