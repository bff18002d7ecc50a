import { parseTag } from '../../lib/delivery/delta/tag.ts';
import { ofrepContext } from '../../lib/delivery/evaluation-context-schema.ts';
import { evaluateAllByOfrep, evaluateByOfrep } from '../../lib/delivery/ofrep.ts';
import * as schemas from '../../lib/delivery/ofrep-schema.ts';
import { findBroadcaster } from '../../lib/delivery/push/find-broadcaster.ts';
import { notFound } from '../../lib/errors.ts';
import { contentReply } from '../../lib/http/content-reply.ts';
import { endpointsOf } from '../../lib/http/endpoint.ts';
import type { Token } from '../../lib/identity/tokens/tokens.ts';

const endpoint = endpointsOf('OpenFeature');

export const evaluateFlag = endpoint({
  route: 'POST /ofrep/v1/evaluate/flags/{key}',
  summary: 'Evaluates a flag for the context in the body, for OpenFeature providers.',
  description:
    'A feature is a boolean flag. A feature whose variants have payloads has the type of the payloads instead; its name with ":enabled" at the end is a boolean flag. If there is no payload for the context, the reply has no value and the reason DISABLED, so that the application uses its own default.',
  audience: 'evaluation',
  protocol: 'OFREP',
  rights: 'read',
  body: ofrepContext,
  responses: { 200: schemas.ofrepFlag },
}).handle(async ({ request, scope, params, body: { context }, address }) => {
  const flag = await evaluateByOfrep(request, { scope, contexts: context ? [context] : [], address }, params.key);
  if (flag === undefined) throw notFound('flag', params.key);
  return flag;
});

export const evaluateFlags = endpoint({
  route: 'POST /ofrep/v1/evaluate/flags',
  summary: 'Evaluates all flags for the context in the body, for OpenFeature providers.',
  description: 'Send the ETag as `If-None-Match`, with the same context, to get 304 while nothing has changed.',
  audience: 'evaluation',
  protocol: 'OFREP',
  rights: 'read',
  query: schemas.ofrepQuery,
  body: ofrepContext,
  responses: { 200: schemas.ofrepFlags, 304: null },
}).handle(async ({ request, scope, token, query, body: { context }, address }) => {
  const sender = { scope, contexts: context ? [context] : [], address };
  const result = await evaluateAllByOfrep(request, sender, parseTag(query.flagConfigEtag));
  return { ...result, ...(findBroadcaster(request) && { eventStreams: [signalStreamOf(token)] }) };
}, contentReply);

/** Returns the stream of a token. The path has no secret: a hash of a token opens its stream and nothing else. */
function signalStreamOf({ hash }: Pick<Token, 'hash'>): schemas.OfrepStream {
  return { type: 'sse', endpoint: { requestUri: `/ofrep/v1/events/${hash}` }, inactivityDelaySec: 120 };
}
