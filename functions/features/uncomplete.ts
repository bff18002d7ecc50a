import { uncompleteFeature } from '../../lib/features/lifecycle/complete-feature.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'POST /api/admin/projects/{projectId}/features/{featureName}/lifecycle/uncomplete',
  group: 'Features',
  summary: 'Marks a feature as not completed.',
  permission: 'UPDATE_FEATURE',
  responses: { 200: null },
  etag: true,
}).handle(({ request, caller, params }) => uncompleteFeature(request, caller, params));
