import { endpoint } from '../../lib/http/endpoint.ts';
import { addAccess } from '../../lib/people/rights/project-access.ts';
import { accessInput } from '../../lib/people/rights/project-access-schema.ts';

export const handler = endpoint({
  route: 'POST /api/admin/projects/{projectId}/access',
  group: 'Project access',
  summary: 'Gives users and groups further roles in a project.',
  description: 'Callers can only give rights that they have themselves in the project, whatever their permission here.',
  permission: ['UPDATE_PROJECT', 'PROJECT_USER_ACCESS_WRITE'],
  body: accessInput,
  responses: { 200: null },
  etag: true,
}).handle(({ request, caller, params, body }) => addAccess(request, caller, params.projectId, body));
