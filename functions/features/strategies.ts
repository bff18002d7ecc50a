import * as v from 'valibot';
import { suspendSchedules } from '../../lib/change-requests/schedules/suspension.ts';
import { changeFeature } from '../../lib/features/change-feature.ts';
import { getStrategy, listStrategies } from '../../lib/features/environments/read-environment.ts';
import {
  planAddStrategy,
  planOrderStrategies,
  planRemoveStrategy,
  planUpdateStrategy,
} from '../../lib/features/strategies/change-strategies.ts';
import { planPatchStrategy } from '../../lib/features/strategies/patch-strategy.ts';
import { addEmptyLists, strategyInput, strategyUpdate } from '../../lib/features/strategies/strategy-input-schema.ts';
import { strategy, strategyOrder, strategyView } from '../../lib/features/strategies/strategy-schema.ts';
import { jsonPatch } from '../../lib/helpers/json-patch-schema.ts';
import { endpointsOf } from '../../lib/http/endpoint.ts';

const endpoint = endpointsOf('Features');
const flagChange = endpointsOf('Features', { effectsOf: suspendSchedules });

export const addFeatureStrategy = flagChange({
  route: 'POST /api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/strategies',
  summary: 'Adds a strategy to a feature in an environment.',
  description:
    '`name` is a strategy type such as `flexibleRollout`. The strategy comes last unless `sortOrder` says otherwise. A feature is on for a user if one of its strategies matches; a strategy matches if all of its constraints and segments do. Adding a strategy does not enable the feature.',
  permission: 'CREATE_FEATURE_STRATEGY',
  body: strategyInput,
  responses: { 200: strategy },
  etag: true,
}).handle(({ request, caller, params, body }) =>
  changeFeature(request, caller, planAddStrategy(request, params, body)),
);

export const deleteFeatureStrategy = flagChange({
  route:
    'DELETE /api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/strategies/{strategyId}',
  summary:
    'Deletes a strategy of a feature in an environment. If no enabled strategy is left, the feature is disabled there.',
  description: 'The reply is empty. To pause a strategy instead, set `disabled` with `PATCH`.',
  permission: 'DELETE_FEATURE_STRATEGY',
  responses: { 200: null },
  etag: true,
}).handle(({ request, caller, params }) => changeFeature(request, caller, planRemoveStrategy(request, params)));

export const getFeatureStrategies = endpoint({
  route: 'GET /api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/strategies',
  summary: 'Lists the strategies of a feature in an environment, in their order.',
  description:
    'A feature is on for a user if one of its strategies matches; a strategy matches if all of its constraints and segments do. Disabled strategies are included.',
  responses: { 200: v.array(strategyView) },
  etag: true,
}).handle(({ request, params }) => listStrategies(request, params));

export const getFeatureStrategy = endpoint({
  route:
    'GET /api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/strategies/{strategyId}',
  summary: 'Returns a strategy of a feature in an environment.',
  description:
    'It includes the parameters, constraints, segments and variants of the strategy. The id is in the reply of the request that added the strategy.',
  responses: { 200: strategyView },
  etag: true,
}).handle(({ request, params }) => getStrategy(request, params));

export const patchFeatureStrategy = flagChange({
  route:
    'PATCH /api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/strategies/{strategyId}',
  summary:
    'Applies a JSON Patch to a strategy. If no enabled strategy is left, the feature is disabled in the environment.',
  description:
    'The paths are those of the strategy in `GET`, such as `/parameters/rollout`. The reply is 400 if a path does not exist. If a `test` fails, the reply is 409 and nothing is changed.',
  permission: 'UPDATE_FEATURE_STRATEGY',
  body: jsonPatch,
  bodyType: 'application/json-patch+json',
  responses: { 200: strategyView },
  etag: true,
  errors: [409],
}).handle(({ request, caller, params, body }) =>
  changeFeature(request, caller, planPatchStrategy(request, params, body)),
);

export const setStrategySortOrder = flagChange({
  route:
    'POST /api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/strategies/set-sort-order',
  summary: 'Reorders the strategies of a feature in an environment.',
  description:
    'Strategies that are not listed keep their positions. The order only affects variants: a user gets the variant of the first strategy that matches.',
  permission: 'UPDATE_FEATURE_STRATEGY',
  body: strategyOrder,
  responses: { 200: null },
  etag: true,
}).handle(({ request, caller, params, body }) =>
  changeFeature(request, caller, planOrderStrategies(request, params, body)),
);

export const updateFeatureStrategy = flagChange({
  route:
    'PUT /api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/strategies/{strategyId}',
  summary: 'Updates a strategy. If no enabled strategy is left, the feature is disabled in the environment.',
  description:
    'Omitted constraints and variants are cleared; other omitted properties keep their values. If `name` changes, omitted parameters get their defaults.',
  permission: 'UPDATE_FEATURE_STRATEGY',
  body: strategyUpdate,
  responses: { 200: strategyView },
  etag: true,
}).handle(({ request, caller, params, body }) =>
  changeFeature(request, caller, planUpdateStrategy(request, params, addEmptyLists(body))),
);
