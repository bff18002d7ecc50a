import { endpoint } from '../../lib/http/endpoint.ts';
import { strategyType, strategyTypeInput } from '../../lib/strategy-types/strategy-type-schema.ts';
import { createStrategyType, strategyTypeView } from '../../lib/strategy-types/strategy-types.ts';

export const handler = endpoint({
  route: 'POST /api/admin/strategies',
  group: 'Strategies',
  summary: 'Creates a strategy type, which applications have to implement.',
  permission: 'CREATE_STRATEGY',
  body: strategyTypeInput,
  responses: { 201: strategyType },
  etag: true,
  errors: [409],
}).handle(
  ({ request, caller, body }) => createStrategyType(request, caller, body),
  (type) => ({ body: strategyTypeView(type), headers: { location: `/api/admin/strategies/${type.name}` } }),
);
