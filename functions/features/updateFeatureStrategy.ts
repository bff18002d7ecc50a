import { changeFeature } from '../../lib/features/change-feature.ts';
import { updatingStrategy } from '../../lib/features/strategies/change-strategies.ts';
import { emptyingLeftOut, strategy, strategyUpdate } from '../../lib/features/strategies/strategy-schema.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route:
    'PUT /api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/strategies/{strategyId}',
  group: 'Features',
  summary: 'Updates a strategy; without an enabled strategy, the feature is off there.',
  description:
    'Omitted constraints and variants are emptied, and other omitted properties stay as they are; with another `name`, omitted parameters get their defaults.',
  permission: 'UPDATE_FEATURE_STRATEGY',
  body: strategyUpdate,
  responses: { 200: strategy },
  etag: true,
}).handle(({ request, caller, params, body }) =>
  changeFeature(request, caller, updatingStrategy(request, params, emptyingLeftOut(body))),
);
