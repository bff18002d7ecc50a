import { endpoint } from '../../lib/http/endpoint.ts';
import { setAccess } from '../../lib/people/rights/project-access.ts';
import { wholeAccessInput } from '../../lib/people/rights/project-access-schema.ts';

export const handler = endpoint({
  route: 'PUT /api/admin/projects/{projectId}/access',
  group: 'Project access',
  summary: 'Replaces the roles of all users and groups in a project.',
  description: 'Callers can only give rights that they have themselves in the project, whatever their permission here.',
  permission: ['UPDATE_PROJECT', 'PROJECT_USER_ACCESS_WRITE'],
  body: wholeAccessInput,
  responses: { 200: null },
  etag: true,
}).handle(({ request, caller, params, body }) => setAccess(request, caller, params.projectId, body));
