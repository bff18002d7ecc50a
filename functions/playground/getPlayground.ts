import { evaluateFor } from '../../lib/delivery/playground.ts';
import * as schemas from '../../lib/delivery/playground-schema.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'POST /api/admin/playground',
  group: 'Playground',
  summary: 'Evaluates features for a context in an environment, and explains the results.',
  deprecated: true,
  rights: 'read',
  body: schemas.playgroundRequest,
  throttle: { ratePerSecond: 5, burst: 10 },
  responses: { 200: schemas.playground },
}).handle(({ request, body }) => evaluateFor(request, body));
