import { parseTag } from '../../lib/delivery/delta/tag.ts';
import { findBroadcaster } from '../../lib/delivery/push/find-broadcaster.ts';
import { signals } from '../../lib/delivery/push/messages.ts';
import { notFound } from '../../lib/errors.ts';
import { endpointsOf } from '../../lib/http/endpoint.ts';
import { streamReply } from '../../lib/http/event-stream.ts';
import { text } from '../../lib/values/primitives.ts';

const endpoint = endpointsOf('OpenFeature');

export const streamFlagSignals = endpoint({
  route: 'GET /ofrep/v1/events/{streamId}',
  summary: 'Signals that flags have changed, for OpenFeature providers.',
  description:
    'The reply to `POST /ofrep/v1/evaluate/flags` names this path where streams are served. The id belongs to a token, and opens nothing else. The reply is a stream of server-sent events, which say only that flags must be evaluated again.',
  audience: 'public',
  protocol: 'OFREP',
  streams: true,
  tokenInPath: 'streamId',
  contentType: 'text/event-stream',
  responses: { 200: text },
}).handle(async ({ request, scope, token, params, header }) => {
  const broadcaster = findBroadcaster(request);
  if (broadcaster === undefined) throw notFound('stream', params.streamId);
  return broadcaster.open({ token, scope, messages: signals, tag: parseTag(header('last-event-id')) });
}, streamReply);
