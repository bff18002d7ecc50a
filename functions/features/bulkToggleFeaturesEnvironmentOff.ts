import { disableFeatures } from '../../lib/features/environments/switch-features.ts';
import { featureNames } from '../../lib/features/feature-schema.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'POST /api/admin/projects/{projectId}/bulk_features/environments/{environment}/off',
  group: 'Features',
  summary: 'Disables the listed features in an environment.',
  permission: 'UPDATE_FEATURE_ENVIRONMENT',
  body: featureNames,
  // One call may write three items for each of hundreds of features.
  throttle: { ratePerSecond: 20, burst: 40 },
  responses: { 200: null },
}).handle(({ request, caller, params, body }) => disableFeatures(request, caller, params, body.features));
