import { endpoint } from '../../lib/http/endpoint.ts';
import { setDeprecated } from '../../lib/strategy-types/strategy-types.ts';

export const handler = endpoint({
  route: 'POST /api/admin/strategies/{name}/deprecate',
  group: 'Strategies',
  summary: 'Marks a strategy type as deprecated. Strategies that use it keep working.',
  permission: 'UPDATE_STRATEGY',
  responses: { 200: null },
  etag: true,
}).handle(
  ({ request, caller, params }) => setDeprecated(request, caller, params.name, true),
  () => ({}),
);
