import { endpoint } from '../../lib/http/endpoint.ts';
import { keepChangeRequestsOff } from '../../lib/projects/change-request-config.ts';
import { changeRequestConfig } from '../../lib/projects/project-schema.ts';

export const handler = endpoint({
  method: 'PUT',
  path: '/api/admin/projects/{projectId}/environments/{environment}/change-requests/config',
  group: 'Projects',
  summary: 'Turns change requests off in an environment of a project; they cannot be turned on yet.',
  permission: ['UPDATE_PROJECT', 'PROJECT_CHANGE_REQUEST_WRITE'],
  rights: 'read',
  body: changeRequestConfig,
  responses: { 204: null },
  errors: [404],
}).handle(({ request, params }) => keepChangeRequestsOff(request, params));
