import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { object } from '../../lib/schemas/primitives.ts';
import { placedStrategy } from '../../lib/schemas/strategy.ts';
import { strategiesComparing } from '../../lib/uses/context-field-uses.ts';

export const handler = endpoint({
  method: 'GET',
  path: '/api/admin/context/{contextField}/strategies',
  group: 'Context',
  summary: 'Lists the strategies of live features that compare a context field.',
  responses: { 200: object({ strategies: v.array(placedStrategy) }) },
}).handle(async ({ request, params }) => ({ strategies: await strategiesComparing(request, params.contextField) }));
