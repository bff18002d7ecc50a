import { playground } from '../../lib/delivery/playground.ts';
import * as schemas from '../../lib/delivery/playground-schema.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  method: 'POST',
  path: '/api/admin/playground',
  group: 'Playground',
  summary: 'Says what each feature is for a context in an environment, and why.',
  deprecated: true,
  rights: 'read',
  body: schemas.playgroundRequest,
  throttle: { ratePerSecond: 5, burst: 10 },
  responses: { 200: schemas.playground },
}).handle(({ request, body }) => playground(request, body));
