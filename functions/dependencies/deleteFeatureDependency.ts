import { removeDependency } from '../../lib/features/dependencies/change-dependencies.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'DELETE /api/admin/projects/{projectId}/features/{featureName}/dependencies/{parent}',
  group: 'Dependencies',
  summary: 'Removes a dependency of a feature.',
  permission: 'UPDATE_FEATURE_DEPENDENCY',
  responses: { 200: null },
  etag: true,
}).handle(({ request, caller, params: { projectId, featureName, parent } }) =>
  removeDependency(request, caller, { projectId, featureName }, parent),
);
