import { changeFeature } from '../../lib/features/change-feature.ts';
import { addingDependency } from '../../lib/features/dependencies/change-dependencies.ts';
import { dependency } from '../../lib/features/feature-schema.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'POST /api/admin/projects/{projectId}/features/{featureName}/dependencies',
  group: 'Dependencies',
  summary: 'Makes a feature depend on another one of its project, and on no other.',
  description:
    'It is on only where the parent is on, in one of the variants where some are named, or off with `enabled: false`. A ' +
    'parent depends on nothing itself.',
  permission: 'UPDATE_FEATURE_DEPENDENCY',
  body: dependency,
  responses: { 200: null },
  etag: true,
}).handle(({ request, caller, params: { projectId, featureName }, body }) =>
  changeFeature(request, caller, addingDependency(request, { projectId, featureName }, body)),
);
