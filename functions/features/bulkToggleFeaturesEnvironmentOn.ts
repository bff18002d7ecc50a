import { enableFeatures } from '../../lib/features/environments/switch-features.ts';
import { featureNames, switchQuery } from '../../lib/features/feature-schema.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'POST /api/admin/projects/{projectId}/bulk_features/environments/{environment}/on',
  group: 'Features',
  summary: 'Enables the listed features in an environment; each has at least one enabled strategy then.',
  permission: 'UPDATE_FEATURE_ENVIRONMENT',
  query: switchQuery,
  body: featureNames,
  // One call may write four items for each of hundreds of features.
  throttle: { ratePerSecond: 20, burst: 40 },
  responses: { 200: null },
}).handle(({ request, caller, params, query, body }) =>
  enableFeatures(request, caller, params, body.features, query.shouldActivateDisabledStrategies),
);
