import { changeFeature } from '../../lib/features/change-feature.ts';
import { patchingStrategy } from '../../lib/features/strategies/patch-strategy.ts';
import { strategy } from '../../lib/features/strategies/strategy-schema.ts';
import { jsonPatch } from '../../lib/helpers/json-patch-schema.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route:
    'PATCH /api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/strategies/{strategyId}',
  group: 'Features',
  summary: 'Applies a JSON Patch to a strategy; without an enabled strategy, the feature is off in the environment.',
  permission: 'UPDATE_FEATURE_STRATEGY',
  body: jsonPatch,
  bodyType: 'application/json-patch+json',
  responses: { 200: strategy },
  etag: true,
  errors: [409],
}).handle(({ request, caller, params, body }) =>
  changeFeature(request, caller, patchingStrategy(request, params, body)),
);
