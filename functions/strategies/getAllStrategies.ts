import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { strategyType } from '../../lib/strategy-types/strategy-type-schema.ts';
import { listStrategyTypes, strategyTypeView } from '../../lib/strategy-types/strategy-types.ts';
import { object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'GET /api/admin/strategies',
  group: 'Strategies',
  summary: 'Lists all strategy types: the built-in ones, then custom ones by name.',
  responses: { 200: object({ version: v.literal(1), strategies: v.array(strategyType) }) },
}).handle(async ({ request }) => ({
  version: 1,
  strategies: (await listStrategyTypes(request)).map(strategyTypeView),
}));
