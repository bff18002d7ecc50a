import { suspendSchedules } from '../../lib/change-requests/schedules/suspension.ts';
import { changeFeature } from '../../lib/features/change-feature.ts';
import { enableFeature, planSwitchOff } from '../../lib/features/environments/switch-feature.ts';
import { disableFeatures, enableFeatures } from '../../lib/features/environments/switch-features.ts';
import { featureInEnvironment, featureNames, switchQuery } from '../../lib/features/feature-schema.ts';
import * as reading from '../../lib/features/get-feature.ts';
import { endpointsOf } from '../../lib/http/endpoint.ts';
import { object } from '../../lib/values/primitives.ts';

const endpoint = endpointsOf('Features');
const flagChange = endpointsOf('Features', { effectsOf: suspendSchedules });

export const bulkToggleFeaturesEnvironmentOff = flagChange({
  route: 'POST /api/admin/projects/{projectId}/bulk_features/environments/{environment}/off',
  summary: 'Disables the listed features in an environment.',
  description: 'One transaction disables about 30 features. The reply is 404 if a feature is unknown or archived.',
  permission: 'UPDATE_FEATURE_ENVIRONMENT',
  body: featureNames,
  // One call may write three items for each of hundreds of features.
  throttle: { ratePerSecond: 20, burst: 40 },
  responses: { 200: null },
}).handle(({ request, caller, params, body }) => disableFeatures(request, caller, params, body.features));

export const bulkToggleFeaturesEnvironmentOn = flagChange({
  route: 'POST /api/admin/projects/{projectId}/bulk_features/environments/{environment}/on',
  summary: 'Enables the listed features in an environment. Each then has at least one enabled strategy.',
  description:
    'A feature without a strategy gets the default strategy of the project. So does a feature that has only disabled strategies; with `shouldActivateDisabledStrategies=true` those are enabled instead.',
  permission: 'UPDATE_FEATURE_ENVIRONMENT',
  query: switchQuery,
  body: featureNames,
  // One call may write four items for each of hundreds of features.
  throttle: { ratePerSecond: 20, burst: 40 },
  responses: { 200: null },
}).handle(({ request, caller, params, query, body }) =>
  enableFeatures(request, caller, params, body.features, query.shouldActivateDisabledStrategies),
);

export const getFeatureEnvironment = endpoint({
  route: 'GET /api/admin/projects/{projectId}/features/{featureName}/environments/{environment}',
  summary: 'Returns the configuration of a feature in an environment: its state, strategies and variants.',
  description:
    '`enabled` alone does not determine the result for a user: strategies and the parent of the feature do as well.',
  responses: { 200: featureInEnvironment },
  etag: true,
}).handle(({ request, params }) => reading.getFeatureEnvironment(request, params));

export const toggleFeatureEnvironmentOff = flagChange({
  route: 'POST /api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/off',
  summary: 'Disables a feature in an environment.',
  description: 'The body is ignored.',
  permission: 'UPDATE_FEATURE_ENVIRONMENT',
  responses: { 200: object({}) },
  etag: true,
}).handle(
  ({ request, caller, params }) => changeFeature(request, caller, planSwitchOff(request, params)),
  () => ({ body: {} }),
);

export const toggleFeatureEnvironmentOn = flagChange({
  route: 'POST /api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/on',
  summary: 'Enables a feature in an environment. It then has at least one enabled strategy.',
  description:
    'A feature without an enabled strategy gets the default strategy of the project and environment, or a gradual rollout to everyone. With `shouldActivateDisabledStrategies=true`, its disabled strategies are enabled instead. The body is ignored.',
  permission: 'UPDATE_FEATURE_ENVIRONMENT',
  query: switchQuery,
  responses: { 200: object({}) },
  etag: true,
}).handle(
  ({ request, caller, params, query }) =>
    enableFeature(request, caller, params, query.shouldActivateDisabledStrategies),
  () => ({ body: {} }),
);
