import { endpoint } from '../../lib/http/endpoint.ts';
import { setRolesOf } from '../../lib/people/rights/project-access.ts';
import { rolesInput, userAccessPath } from '../../lib/people/rights/project-access-schema.ts';

export const handler = endpoint({
  route: 'PUT /api/admin/projects/{projectId}/users/{userId}/roles',
  group: 'Project access',
  summary: 'Replaces the roles of a user in a project.',
  description: 'Callers can only give rights that they have themselves in the project, whatever their permission here.',
  permission: ['UPDATE_PROJECT', 'PROJECT_USER_ACCESS_WRITE'],
  params: userAccessPath,
  body: rolesInput,
  responses: { 200: null },
  etag: true,
}).handle(({ request, caller, params, body }) =>
  setRolesOf(request, caller, params.projectId, 'users', params.userId, body.roles),
);
