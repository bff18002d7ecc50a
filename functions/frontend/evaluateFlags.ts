import { ofrepContext } from '../../lib/delivery/evaluation-context-schema.ts';
import { evaluateAllByOfrep } from '../../lib/delivery/ofrep.ts';
import * as schemas from '../../lib/delivery/ofrep-schema.ts';
import { contentReply } from '../../lib/http/content-reply.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'POST /ofrep/v1/evaluate/flags',
  group: 'OpenFeature',
  summary: 'Evaluates all flags for the context in the body, for OpenFeature providers.',
  description: 'Send the ETag as If-None-Match, with the same context, to get 304 while nothing has changed.',
  audience: 'evaluation',
  protocol: 'OFREP',
  rights: 'read',
  body: ofrepContext,
  responses: { 200: schemas.ofrepFlags, 304: null },
}).handle(
  ({ request, scope, body: { context }, address }) =>
    evaluateAllByOfrep(request, { scope, contexts: context ? [context] : [], address }),
  contentReply,
);
