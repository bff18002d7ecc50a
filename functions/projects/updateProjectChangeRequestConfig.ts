import { endpoint } from '../../lib/http/endpoint.ts';
import { setChangeRequestConfig } from '../../lib/projects/change-request-config.ts';
import { changeRequestConfig } from '../../lib/schemas/project.ts';

export const handler = endpoint({
  method: 'PUT',
  path: '/api/admin/projects/{projectId}/environments/{environment}/change-requests/config',
  group: 'Projects',
  summary: 'Keeps whether changes are meant to be approved in an environment of a project.',
  description: 'It is kept and shown for tools that manage it; changes need no approval here.',
  permission: ['UPDATE_PROJECT', 'PROJECT_CHANGE_REQUEST_WRITE'],
  body: changeRequestConfig,
  responses: { 204: null },
  etag: true,
  errors: [404],
}).handle(({ table, caller, params, body }) => setChangeRequestConfig(table, caller, params, body));
