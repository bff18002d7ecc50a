import { endpoint } from '../../lib/http/endpoint.ts';
import { projectSettings } from '../../lib/projects/project-schema.ts';
import { updateProjectSettings } from '../../lib/projects/update-project.ts';

export const handler = endpoint({
  route: 'PUT /api/admin/projects/{projectId}/settings',
  group: 'Projects',
  summary:
    'Updates the naming pattern and the link templates for new features of a project; omitted fields stay as they are.',
  permission: ['UPDATE_PROJECT', 'PROJECT_SETTINGS_WRITE'],
  body: projectSettings,
  responses: { 200: null },
  etag: true,
}).handle(
  ({ request, caller, params, body }) => updateProjectSettings(request, caller, params.projectId, body),
  () => ({}),
);
