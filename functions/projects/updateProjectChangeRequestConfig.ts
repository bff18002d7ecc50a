import { endpoint } from '../../lib/http/endpoint.ts';
import { configureChangeRequests } from '../../lib/projects/change-request-config.ts';
import { changeRequestConfig } from '../../lib/projects/project-schema.ts';

export const handler = endpoint({
  route: 'PUT /api/admin/projects/{projectId}/environments/{environment}/change-requests/config',
  group: 'Projects',
  summary: 'Makes changes of what SDKs get in an environment of a project need approval, or none.',
  permission: ['UPDATE_PROJECT', 'PROJECT_CHANGE_REQUEST_WRITE'],
  body: changeRequestConfig,
  responses: { 204: null },
  etag: true,
}).handle(({ request, caller, params, body }) => configureChangeRequests(request, caller, params, body));
