import { serveFeature } from '../../lib/delivery/client-features.ts';
import * as schemas from '../../lib/delivery/client-features-schema.ts';
import { knowsSegments } from '../../lib/delivery/spec-version.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'GET /api/client/features/{featureName}',
  group: 'Client',
  summary: 'Returns one of the features that a token may read, for SDKs on servers.',
  audience: 'client',
  responses: { 200: schemas.clientFeature },
}).handle(({ request, scope, params, header }) =>
  serveFeature(request, scope, params.featureName, {
    segmentsApart: knowsSegments(header('unleash-client-spec')),
  }),
);
