import * as v from 'valibot';
import { endpointsOf } from '../../lib/http/endpoint.ts';
import { buildName } from '../../lib/http/version.ts';
import { htmlType } from '../../lib/pages/page.ts';
import { startPage } from '../../lib/pages/start-page.ts';
import { loadMaintenance } from '../../lib/settings/maintenance.ts';
import { object } from '../../lib/values/primitives.ts';

const endpoint = endpointsOf('Service');

export const getHealth = endpoint({
  route: 'GET /health',
  summary: 'Returns the health of the service.',
  description:
    'It does not ask the store: a process that answers is alive. Load balancers that should leave out a process without its store ask `/ready`.',
  audience: 'public',
  rights: 'none',
  responses: { 200: object({ health: v.literal('GOOD') }) },
}).handle(async () => ({ health: 'GOOD' }));

export const getReady = endpoint({
  route: 'GET /ready',
  summary: 'Returns the readiness of the service: 503 while its store cannot be reached, or is damaged.',
  description:
    'It reads from the store. Use it for readiness checks, and `/health` for liveness checks, which should not restart a process because of the store.',
  audience: 'public',
  throttle: { ratePerSecond: 20, burst: 40 },
  responses: { 200: object({ health: v.literal('GOOD') }) },
}).handle(async ({ request }) => {
  // Any read would do.
  await loadMaintenance(request);
  request.store.assertSound();
  return { health: 'GOOD' };
});

export const getStartPage = endpoint({
  route: 'GET /',
  summary: 'Shows a start page.',
  description: 'It is an HTML page for browsers, with links to the console, if there is one, and to the API reference.',
  audience: 'public',
  rights: 'none',
  contentType: htmlType,
  reads: ['CONSOLE_DIRECTORY', 'FLAGSTAFF_COMMIT'],
  responses: { 200: v.string() },
}).handle(
  async () => startPage({ build: buildName(), hasConsole: Boolean(process.env.CONSOLE_DIRECTORY) }),
  ({ html, headers }) => ({ headers, body: html }),
);
