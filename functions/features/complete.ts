import { completion } from '../../lib/features/feature-schema.ts';
import { completeFeature } from '../../lib/features/lifecycle/complete-feature.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'POST /api/admin/projects/{projectId}/features/{featureName}/lifecycle/complete',
  group: 'Features',
  summary: 'Marks a feature as completed, with the outcome.',
  permission: 'UPDATE_FEATURE',
  body: completion,
  responses: { 200: null },
  etag: true,
}).handle(({ request, caller, params, body }) => completeFeature(request, caller, params, body));
