import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { loadMaintenance } from '../../lib/settings/maintenance.ts';
import { object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'GET /ready',
  group: 'Service',
  summary: 'Returns the readiness of the service: 503 while its store cannot be reached, or is damaged.',
  audience: 'public',
  throttle: { ratePerSecond: 20, burst: 40 },
  responses: { 200: object({ health: v.literal('GOOD') }) },
}).handle(async ({ request }) => {
  // Any read would do.
  await loadMaintenance(request);
  request.store.assertSound();
  return { health: 'GOOD' };
});
