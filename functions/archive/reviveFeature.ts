import { reviveFeature } from '../../lib/features/lifecycle/revive-feature.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'POST /api/admin/archive/revive/{featureName}',
  group: 'Archive',
  summary: 'Revives an archived feature, disabled in every environment.',
  permission: 'UPDATE_FEATURE',
  // The project in which it must hold is that of the feature.
  permissionBy: 'store',
  responses: { 200: null },
  etag: true,
}).handle(({ request, caller, params }) => reviveFeature(request, caller, params.featureName));
