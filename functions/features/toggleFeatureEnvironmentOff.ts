import { changeFeature } from '../../lib/features/change-feature.ts';
import { switchingOff } from '../../lib/features/environments/switch-feature.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'POST /api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/off',
  group: 'Features',
  summary: 'Disables a feature in an environment.',
  description: 'A body is ignored.',
  permission: 'UPDATE_FEATURE_ENVIRONMENT',
  responses: { 200: object({}) },
  etag: true,
}).handle(
  ({ request, caller, params }) => changeFeature(request, caller, switchingOff(request, params)),
  () => ({ body: {} }),
);
