import { endpoint } from '../../lib/http/endpoint.ts';
import { strategyType } from '../../lib/strategy-types/strategy-type-schema.ts';
import { strategyTypes, strategyTypeView } from '../../lib/strategy-types/strategy-types.ts';

export const handler = endpoint({
  route: 'GET /api/admin/strategies/{name}',
  group: 'Strategies',
  summary: 'Returns a strategy type.',
  responses: { 200: strategyType },
  etag: true,
}).handle(
  ({ request, params }) => strategyTypes.load(request, params.name),
  (type) => ({ body: strategyTypeView(type) }),
);
