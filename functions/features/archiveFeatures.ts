import { featureNames } from '../../lib/features/feature-schema.ts';
import { archiveFeatures } from '../../lib/features/lifecycle/archive-feature.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'POST /api/admin/projects/{projectId}/archive',
  group: 'Features',
  summary: 'Archives features that no other features depend on.',
  permission: 'DELETE_FEATURE',
  body: featureNames,
  // One call may write several items for each of hundreds of features.
  throttle: { ratePerSecond: 20, burst: 40 },
  responses: { 202: null },
  errors: [409],
}).handle(({ request, caller, params, body }) => archiveFeatures(request, caller, params.projectId, body.features));
