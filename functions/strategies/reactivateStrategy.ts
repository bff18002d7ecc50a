import { endpoint } from '../../lib/http/endpoint.ts';
import { setDeprecated } from '../../lib/strategy-types/strategy-types.ts';

export const handler = endpoint({
  route: 'POST /api/admin/strategies/{name}/reactivate',
  group: 'Strategies',
  summary: 'Reactivates a deprecated strategy type.',
  permission: 'UPDATE_STRATEGY',
  responses: { 200: null },
  etag: true,
}).handle(
  ({ request, caller, params }) => setDeprecated(request, caller, params.name, false),
  () => ({}),
);
