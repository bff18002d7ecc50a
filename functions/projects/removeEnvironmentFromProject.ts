import { endpoint } from '../../lib/http/endpoint.ts';
import { removeEnvironment } from '../../lib/provisioning/remove-environment.ts';

export const handler = endpoint({
  route: 'DELETE /api/admin/projects/{projectId}/environments/{environment}',
  group: 'Projects',
  summary:
    'Removes an environment from a project. Its features are off there, also when the environment is added again.',
  permission: 'UPDATE_PROJECT',
  responses: { 200: null },
  etag: true,
}).handle(({ request, caller, params }) => removeEnvironment(request, caller, params));
