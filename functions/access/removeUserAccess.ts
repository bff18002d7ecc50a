import { endpoint } from '../../lib/http/endpoint.ts';
import { setRolesOf } from '../../lib/people/rights/project-access.ts';
import { userAccessPath } from '../../lib/people/rights/project-access-schema.ts';

export const handler = endpoint({
  route: 'DELETE /api/admin/projects/{projectId}/users/{userId}/roles',
  group: 'Project access',
  summary: 'Removes all roles of a user in a project.',
  permission: ['UPDATE_PROJECT', 'PROJECT_USER_ACCESS_WRITE'],
  params: userAccessPath,
  responses: { 200: null },
  etag: true,
}).handle(({ request, caller, params }) => setRolesOf(request, caller, params.projectId, 'users', params.userId, []));
