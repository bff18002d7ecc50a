import { evaluateForMany } from '../../lib/delivery/playground.ts';
import * as schemas from '../../lib/delivery/playground-schema.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'POST /api/admin/playground/advanced',
  group: 'Playground',
  summary: 'Evaluates features in several environments for several contexts, and explains the results.',
  description:
    'A context value may be a comma-separated list. The features are evaluated for every combination, at most 15,000 times in all.',
  rights: 'read',
  body: schemas.advancedPlaygroundRequest,
  throttle: { ratePerSecond: 5, burst: 10 },
  responses: { 200: schemas.advancedPlayground },
}).handle(({ request, body }) => evaluateForMany(request, body));
