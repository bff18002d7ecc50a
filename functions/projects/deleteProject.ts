import { endpoint } from '../../lib/http/endpoint.ts';
import { deleteProject } from '../../lib/provisioning/delete-project.ts';

export const handler = endpoint({
  route: 'DELETE /api/admin/projects/{projectId}',
  group: 'Projects',
  summary: 'Deletes a project whose features are all archived, with everything that belongs to it.',
  permission: 'DELETE_PROJECT',
  responses: { 200: null },
  etag: 'checked',
  errors: [409],
}).handle(({ request, caller, params }) => deleteProject(request, caller, params.projectId));
