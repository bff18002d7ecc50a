import { featureNames } from '../../lib/features/feature-schema.ts';
import { deleteFeatures } from '../../lib/features/lifecycle/delete-feature.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'POST /api/admin/projects/{projectId}/delete',
  group: 'Archive',
  summary: 'Deletes archived features with everything that belongs to them, except their events.',
  permission: 'DELETE_FEATURE',
  body: featureNames,
  // One call may write several items for each of hundreds of features.
  throttle: { ratePerSecond: 20, burst: 40 },
  responses: { 200: null },
  errors: [409],
}).handle(({ request, caller, params, body }) => deleteFeatures(request, caller, params.projectId, body.features));
