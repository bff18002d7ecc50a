import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { object } from '../../lib/schemas/primitives.ts';
import { strategyType } from '../../lib/schemas/strategy-type.ts';
import { listStrategyTypes, strategyTypeView } from '../../lib/strategies/strategy-types.ts';

export const handler = endpoint({
  method: 'GET',
  path: '/api/admin/strategies',
  group: 'Strategies',
  summary: 'Lists all strategy types: those that come with the service, then the others by name.',
  responses: { 200: object({ version: v.literal(1), strategies: v.array(strategyType) }) },
}).handle(async ({ request }) => ({
  version: 1,
  strategies: (await listStrategyTypes(request)).map(strategyTypeView),
}));
