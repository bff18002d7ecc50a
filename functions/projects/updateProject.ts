import { endpoint } from '../../lib/http/endpoint.ts';
import { projectUpdate } from '../../lib/projects/project-schema.ts';
import { updateProject } from '../../lib/projects/update-project.ts';

export const handler = endpoint({
  route: 'PUT /api/admin/projects/{projectId}',
  group: 'Projects',
  summary: 'Updates the name, description and defaults of a project; omitted fields stay as they are.',
  permission: 'UPDATE_PROJECT',
  body: projectUpdate,
  responses: { 200: null },
  etag: true,
}).handle(
  ({ request, caller, params, body }) => updateProject(request, caller, params.projectId, body),
  () => ({}),
);
