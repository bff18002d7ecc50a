import { endpoint } from '../../lib/http/endpoint.ts';
import { removeStrategyType } from '../../lib/strategy-types/strategy-types.ts';

export const handler = endpoint({
  route: 'DELETE /api/admin/strategies/{name}',
  group: 'Strategies',
  summary: 'Deletes a custom strategy type that no strategy uses.',
  permission: 'DELETE_STRATEGY',
  responses: { 200: null },
  etag: 'checked',
  errors: [404, 409],
}).handle(({ request, caller, params }) => removeStrategyType(request, caller, params.name));
