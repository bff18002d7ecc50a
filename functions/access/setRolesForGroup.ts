import { endpoint } from '../../lib/http/endpoint.ts';
import { setRolesOf } from '../../lib/people/rights/project-access.ts';
import { groupAccessPath, rolesInput } from '../../lib/people/rights/project-access-schema.ts';

export const handler = endpoint({
  route: 'PUT /api/admin/projects/{projectId}/groups/{groupId}/roles',
  group: 'Project access',
  summary: 'Replaces the roles of a group in a project.',
  description: 'Callers can only give rights that they have themselves in the project, whatever their permission here.',
  permission: ['UPDATE_PROJECT', 'PROJECT_USER_ACCESS_WRITE'],
  params: groupAccessPath,
  body: rolesInput,
  responses: { 200: null },
  etag: true,
}).handle(({ request, caller, params, body }) =>
  setRolesOf(request, caller, params.projectId, 'groups', params.groupId, body.roles),
);
