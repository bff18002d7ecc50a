import { changeFeature } from '../../lib/features/change-feature.ts';
import { removingDependencies } from '../../lib/features/dependencies/change-dependencies.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'DELETE /api/admin/projects/{projectId}/features/{featureName}/dependencies',
  group: 'Dependencies',
  summary: 'Removes all dependencies of a feature.',
  permission: 'UPDATE_FEATURE_DEPENDENCY',
  responses: { 200: null },
  etag: true,
}).handle(({ request, caller, params: { projectId, featureName } }) =>
  changeFeature(request, caller, removingDependencies(request, { projectId, featureName })),
);
