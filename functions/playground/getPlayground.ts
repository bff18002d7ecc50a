import { playground } from '../../lib/delivery/playground.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import * as schemas from '../../lib/schemas/playground.ts';

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
