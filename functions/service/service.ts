import * as v from 'valibot';
import { endpointsOf } from '../../lib/http/endpoint.ts';
import { loadMaintenance } from '../../lib/settings/maintenance.ts';
import { object } from '../../lib/values/primitives.ts';

const endpoint = endpointsOf('Service');

export const getHealth = endpoint({
  route: 'GET /health',
  summary: 'Returns the health of the service.',
  description:
    'It does not read the store: a process that answers is alive. For load balancers that should skip a process without its store, use `/ready`.',
  audience: 'public',
  rights: 'none',
  responses: { 200: object({ health: v.literal('GOOD') }) },
}).handle(async () => ({ health: 'GOOD' }));

export const getReady = endpoint({
  route: 'GET /ready',
  summary: 'Returns whether the service is ready: 503 if its store cannot be reached, or is damaged.',
  description:
    'It reads the store. Use it for readiness checks. For liveness checks use `/health`, since a restart does not repair the store.',
  audience: 'public',
  throttle: { ratePerSecond: 20, burst: 40 },
  responses: { 200: object({ health: v.literal('GOOD') }) },
}).handle(async ({ request }) => {
  // Any read shows whether the store can be reached.
  await loadMaintenance(request);
  request.store.assertSound();
  return { health: 'GOOD' };
});
