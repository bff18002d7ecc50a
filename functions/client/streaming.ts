import { parseTag } from '../../lib/delivery/delta/tag.ts';
import { findBroadcaster } from '../../lib/delivery/push/find-broadcaster.ts';
import { changes } from '../../lib/delivery/push/messages.ts';
import { endpointsOf } from '../../lib/http/endpoint.ts';
import { streamReply } from '../../lib/http/event-stream.ts';
import { refusalOfStreaming } from '../../lib/http/refuse-streaming.ts';
import { text } from '../../lib/values/primitives.ts';

const endpoint = endpointsOf('Client');

export const streamClientChanges = endpoint({
  route: 'GET /api/client/streaming',
  summary: 'Streams the changes of the features that a token may read, for SDKs and Edge.',
  description:
    'Only servers and relays that keep running can stream; a deployed service answers 404. The reply is a stream of server-sent events. The first is `unleash-connected`, with everything, or with the changes since the state that `Last-Event-ID` names. Each later one is `unleash-updated`. Their data have the form of `GET /api/client/delta`.',
  audience: 'client',
  streams: true,
  contentType: 'text/event-stream',
  responses: { 200: text },
  errors: [404],
}).handle(async ({ request, scope, token, header }) => {
  const broadcaster = findBroadcaster(request);
  if (broadcaster === undefined) throw refusalOfStreaming(header);
  const tag = parseTag(header('last-event-id'));
  return broadcaster.open({ token, scope, messages: changes, tag, clientId: header('unleash-connection-id') });
}, streamReply);
