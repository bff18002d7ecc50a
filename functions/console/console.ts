import { endpointsOf } from '../../lib/http/endpoint.ts';
import { buildName } from '../../lib/http/version.ts';
import { loadNow } from '../../lib/screens/load-now.ts';
import { loadStart } from '../../lib/screens/load-start.ts';
import { consoleNow } from '../../lib/screens/now-schema.ts';
import { consoleStart } from '../../lib/screens/start-schema.ts';
import { waysIn } from '../../lib/sign-in/ways.ts';

const endpoint = endpointsOf('Console');

export const getConsoleNow = endpoint({
  route: 'GET /api/admin/console/now',
  summary: 'Returns the switches of production and the events of the last hour, for an incident.',
  description:
    'It lists all live features of the projects that the caller sees, with their state in environments of the type ' +
    '`production` and about how often they were evaluated in the last hour.',
  // Which are favorites is a question of who asks.
  permission: 'NONE',
  throttle: { ratePerSecond: 20, burst: 40 },
  responses: { 200: consoleNow },
}).handle(({ request, caller }) => loadNow(request, caller));

export const getConsoleStart = endpoint({
  route: 'GET /api/admin/console/start',
  summary: 'Returns what every page of the console needs: the caller, their permissions, projects and open reviews.',
  description: 'The 401 for a caller without a session lists the ways to sign in. The call prolongs the session.',
  permission: 'NONE',
  waysIn,
  rights: 'count',
  reads: ['FLAGSTAFF_COMMIT'],
  responses: { 200: consoleStart },
}).handle(async ({ request, caller }) => ({ ...(await loadStart(request, caller)), version: buildName() }));
