import * as schemas from '../../lib/delivery/evaluation-context-schema.ts';
import { evaluateFeatures } from '../../lib/delivery/frontend-features.ts';
import { readyReply } from '../../lib/http/content-reply.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'POST /api/frontend',
  group: 'Frontend',
  summary: 'Returns the features that are on for the context in the body, for SDKs in pages and apps.',
  description: 'The query provides the context where the body has none.',
  audience: 'frontend',
  rights: 'read',
  query: schemas.contextInQuery,
  body: schemas.frontendContext,
  bodyOptional: true,
  responses: { 200: schemas.frontendFeatures },
}).handle(
  ({ request, scope, query, body: { context }, address }) =>
    evaluateFeatures(request, { scope, contexts: [query, ...(context ? [context] : [])], address }),
  readyReply,
);
