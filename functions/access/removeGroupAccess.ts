import { endpoint } from '../../lib/http/endpoint.ts';
import { setRolesOf } from '../../lib/people/rights/project-access.ts';
import { groupAccessPath } from '../../lib/people/rights/project-access-schema.ts';

export const handler = endpoint({
  route: 'DELETE /api/admin/projects/{projectId}/groups/{groupId}/roles',
  group: 'Project access',
  summary: 'Removes all roles of a group in a project.',
  permission: ['UPDATE_PROJECT', 'PROJECT_USER_ACCESS_WRITE'],
  params: groupAccessPath,
  responses: { 200: null },
  etag: true,
}).handle(({ request, caller, params }) => setRolesOf(request, caller, params.projectId, 'groups', params.groupId, []));
