import { enableFeature } from '../../lib/features/environments/switch-feature.ts';
import { switchQuery } from '../../lib/features/feature-schema.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'POST /api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/on',
  group: 'Features',
  summary: 'Enables a feature in an environment; it has at least one enabled strategy then.',
  description:
    'A feature without an enabled strategy there gets the default strategy of the project and the environment, or a ' +
    'gradual rollout to everybody; with `shouldActivateDisabledStrategies=true` its disabled ones are enabled. A body is ' +
    'ignored.',
  permission: 'UPDATE_FEATURE_ENVIRONMENT',
  query: switchQuery,
  responses: { 200: object({}) },
  etag: true,
}).handle(
  ({ request, caller, params, query }) =>
    enableFeature(request, caller, params, query.shouldActivateDisabledStrategies),
  () => ({ body: {} }),
);
