import * as v from 'valibot';
import { strategiesComparing } from '../../lib/context-fields/context-fields.ts';
import { placedStrategy } from '../../lib/features/strategies/strategy-schema.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'GET /api/admin/context/{contextField}/strategies',
  group: 'Context',
  summary: 'Lists the strategies of live features that use a context field.',
  responses: { 200: object({ strategies: v.array(placedStrategy) }) },
  errors: [],
}).handle(async ({ request, params }) => ({ strategies: await strategiesComparing(request, params.contextField) }));
