import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { openApiDocument } from '../../lib/http/openapi.ts';

let document: Readonly<Record<string, unknown>> | undefined;

export const handler = endpoint({
  route: 'GET /docs/openapi.json',
  group: 'Service',
  summary: 'Returns this document: the whole API as OpenAPI 3.1.',
  audience: 'public',
  rights: 'none',
  // Anybody may ask for it, and it is the largest answer that needs no token.
  throttle: { ratePerSecond: 20, burst: 40 },
  responses: { 200: v.looseObject({}) },
}).handle(async () => {
  // The registry holds this endpoint, so it can be looked at only once it is complete.
  document ??= openApiDocument(await import('../index.ts'));
  return document;
});
