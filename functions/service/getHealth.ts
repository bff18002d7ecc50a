import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { version } from '../../lib/http/version.ts';
import { object, text } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'GET /health',
  group: 'Service',
  summary: 'Returns the health of the service, and its version.',
  audience: 'public',
  rights: 'none',
  responses: { 200: object({ health: v.literal('GOOD'), version: text }) },
}).handle(async () => ({ health: 'GOOD', version }));
