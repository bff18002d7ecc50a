import { setDefaultStrategy } from '../../lib/features/strategies/default-strategy.ts';
import { defaultStrategy, strategyInput } from '../../lib/features/strategies/strategy-schema.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'POST /api/admin/projects/{projectId}/environments/{environment}/default-strategy',
  group: 'Projects',
  summary:
    'Sets the default strategy of a project in an environment, or in all of them (*). A feature that is enabled without a strategy receives it.',
  permission: ['UPDATE_PROJECT', 'PROJECT_DEFAULT_STRATEGY_WRITE'],
  body: strategyInput,
  responses: { 200: defaultStrategy },
  etag: true,
}).handle(
  ({ request, caller, params, body }) => setDefaultStrategy(request, caller, params, body),
  (_, { body }) => ({ body }),
);
