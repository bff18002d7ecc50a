import { endpoint } from '../../lib/http/endpoint.ts';
import { setRolesOf } from '../../lib/people/rights/project-access.ts';
import { groupAccessPath, rolesInput } from '../../lib/people/rights/project-access-schema.ts';

export const handler = endpoint({
  method: 'PUT',
  path: '/api/admin/projects/{projectId}/groups/{groupId}/roles',
  group: 'Project access',
  summary: 'Gives a group these roles in a project, instead of those that it has there.',
  description:
    'Nobody gives rights that they do not have themselves in the project, whatever permission they have here.',
  permission: ['UPDATE_PROJECT', 'PROJECT_USER_ACCESS_WRITE'],
  params: groupAccessPath,
  body: rolesInput,
  responses: { 200: null },
  etag: true,
  errors: [404],
}).handle(({ request, caller, params, body }) =>
  setRolesOf(request, caller, params.projectId, 'groups', params.groupId, body.roles),
);
