import { endpoint } from '../../lib/http/endpoint.ts';
import { strategyTypeUpdate } from '../../lib/strategy-types/strategy-type-schema.ts';
import { updateStrategyType } from '../../lib/strategy-types/strategy-types.ts';

export const handler = endpoint({
  route: 'PUT /api/admin/strategies/{name}',
  group: 'Strategies',
  summary: 'Updates a custom strategy type: its title, description and parameters.',
  permission: 'UPDATE_STRATEGY',
  body: strategyTypeUpdate,
  responses: { 200: null },
  etag: true,
}).handle(
  ({ request, caller, params, body }) => updateStrategyType(request, caller, params.name, body),
  () => ({}),
);
