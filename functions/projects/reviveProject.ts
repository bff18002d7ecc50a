import { endpoint } from '../../lib/http/endpoint.ts';
import { reviveProject } from '../../lib/provisioning/archive-project.ts';

export const handler = endpoint({
  route: 'POST /api/admin/projects/revive/{projectId}',
  group: 'Projects',
  summary: 'Revives an archived project; its features stay archived.',
  permission: 'UPDATE_PROJECT',
  responses: { 200: null },
  etag: true,
}).handle(({ request, caller, params }) => reviveProject(request, caller, params.projectId));
