import { uncompleteFeature } from '../../lib/features/complete-feature.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  method: 'POST',
  path: '/api/admin/projects/{projectId}/features/{featureName}/lifecycle/uncomplete',
  group: 'Features',
  summary: 'Says that a feature has not done its work yet.',
  permission: 'UPDATE_FEATURE',
  responses: { 200: null },
  etag: true,
  errors: [404],
}).handle(
  ({ request, caller, params }) => uncompleteFeature(request, caller, params),
  () => ({}),
);
