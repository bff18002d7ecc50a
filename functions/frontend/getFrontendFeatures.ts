import * as schemas from '../../lib/delivery/evaluation-context-schema.ts';
import { evaluateFeatures } from '../../lib/delivery/frontend-features.ts';
import { readyReply } from '../../lib/http/content-reply.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'GET /api/frontend',
  group: 'Frontend',
  summary: 'Returns the features that are on for the context in the query, for SDKs in pages and apps.',
  audience: 'frontend',
  query: schemas.contextInQuery,
  responses: { 200: schemas.frontendFeatures, 304: null },
}).handle(
  ({ request, scope, query, address }) => evaluateFeatures(request, { scope, contexts: [query], address }),
  readyReply,
);
