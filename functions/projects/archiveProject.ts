import { endpoint } from '../../lib/http/endpoint.ts';
import { archiveProject } from '../../lib/provisioning/archive-project.ts';

export const handler = endpoint({
  route: 'POST /api/admin/projects/archive/{projectId}',
  group: 'Projects',
  summary: 'Archives a project whose features are all archived.',
  permission: 'DELETE_PROJECT',
  responses: { 200: null },
  etag: true,
  errors: [409],
}).handle(({ request, caller, params }) => archiveProject(request, caller, params.projectId));
