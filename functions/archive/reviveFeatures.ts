import { featureNames } from '../../lib/features/feature-schema.ts';
import { reviveFeatures } from '../../lib/features/lifecycle/revive-feature.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'POST /api/admin/projects/{projectId}/revive',
  group: 'Archive',
  summary: 'Revives archived features, disabled in every environment.',
  permission: 'UPDATE_FEATURE',
  body: featureNames,
  // One call may write several items for each of hundreds of features.
  throttle: { ratePerSecond: 20, burst: 40 },
  responses: { 200: null },
}).handle(({ request, caller, params, body }) => reviveFeatures(request, caller, params.projectId, body.features));
