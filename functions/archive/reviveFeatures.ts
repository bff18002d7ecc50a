import { reviveFeatures } from '../../lib/features/revive-feature.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { featureNames } from '../../lib/schemas/feature.ts';

export const handler = endpoint({
  method: 'POST',
  path: '/api/admin/projects/{projectId}/revive',
  group: 'Archive',
  summary: 'Takes features out of the archive, off in every environment.',
  permission: 'UPDATE_FEATURE',
  body: featureNames,
  // One call may write several items for each of hundreds of features.
  throttle: { ratePerSecond: 20, burst: 40 },
  responses: { 200: null },
  errors: [404],
}).handle(({ request, caller, params, body }) => reviveFeatures(request, caller, params.projectId, body.features));
