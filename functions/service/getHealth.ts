import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { object } from '../../lib/schemas/primitives.ts';

export const handler = endpoint({
  method: 'GET',
  path: '/health',
  group: 'Service',
  summary: 'Tells that the service answers.',
  audience: 'public',
  rights: 'none',
  responses: { 200: object({ health: v.literal('GOOD') }) },
}).handle(async () => ({ health: 'GOOD' }));
