import { endpoint } from '../../lib/http/endpoint.ts';
import { accessOfProject } from '../../lib/people/rights/project-access.ts';
import { projectAccess } from '../../lib/people/rights/project-access-schema.ts';

export const handler = endpoint({
  route: 'GET /api/admin/projects/{projectId}/access',
  group: 'Project access',
  summary: 'Lists the users and groups that have roles in a project, and the roles that can be given there.',
  permission: ['UPDATE_PROJECT', 'PROJECT_USER_ACCESS_READ', 'PROJECT_USER_ACCESS_WRITE'],
  responses: { 200: projectAccess },
  etag: true,
}).handle(({ request, params }) => accessOfProject(request, params.projectId));
