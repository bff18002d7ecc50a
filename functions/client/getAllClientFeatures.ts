import { serveFeatures } from '../../lib/delivery/client-features.ts';
import * as schemas from '../../lib/delivery/client-features-schema.ts';
import { knowsSegments } from '../../lib/delivery/spec-version.ts';
import { readyReply } from '../../lib/http/content-reply.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'GET /api/client/features',
  group: 'Client',
  summary: 'Returns the features that a token may read, for SDKs on servers.',
  description:
    'SDKs that send Unleash-Client-Spec 4.2.0 or above get segments separately; all others get the constraints of segments with those of each strategy. Send the ETag as If-None-Match to get 304 while nothing has changed.',
  audience: 'client',
  query: schemas.clientFeaturesQuery,
  repeated: ['project', 'tag'],
  decidedBy: ['authorization', 'unleash-client-spec'],
  responses: { 200: schemas.clientFeatures, 304: null },
}).handle(
  ({ request, scope, query, header }) =>
    serveFeatures(request, scope, {
      query,
      segmentsApart: knowsSegments(header('unleash-client-spec')),
      known: header('if-none-match'),
    }),
  readyReply,
);
