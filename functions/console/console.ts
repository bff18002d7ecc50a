import { changeRequestPath } from '../../lib/change-requests/change-request-schema.ts';
import { endpointsOf } from '../../lib/http/endpoint.ts';
import { etagOf } from '../../lib/http/etag.ts';
import { buildName } from '../../lib/http/version.ts';
import { consoleEvents, eventsQuery } from '../../lib/screens/events-schema.ts';
import { consoleFlag } from '../../lib/screens/flag-schema.ts';
import { consoleFlags, flagsQuery } from '../../lib/screens/flags-schema.ts';
import { loadEventsPage } from '../../lib/screens/load-events.ts';
import { loadFlag } from '../../lib/screens/load-flag.ts';
import { loadFlags } from '../../lib/screens/load-flags.ts';
import { loadNow } from '../../lib/screens/load-now.ts';
import { loadProjects } from '../../lib/screens/load-projects.ts';
import { loadRequestPage } from '../../lib/screens/load-request.ts';
import { loadReviews } from '../../lib/screens/load-reviews.ts';
import { loadConsoleStart } from '../../lib/screens/load-start.ts';
import { consoleNow } from '../../lib/screens/now-schema.ts';
import { endOtherSessions, loadOwnSessions } from '../../lib/screens/own-sessions.ts';
import { consoleProjects, projectsQuery } from '../../lib/screens/projects-schema.ts';
import { consoleRequest, consoleReviews } from '../../lib/screens/request-schema.ts';
import { consoleSessions } from '../../lib/screens/sessions-schema.ts';
import { consoleStart } from '../../lib/screens/start-schema.ts';
import { loadWaysIn } from '../../lib/sign-in/ways.ts';

/** All pages share one rate, so that they need one route: each takes two calls, and a call may read a hundred items. */
const throttle = { ratePerSecond: 50, burst: 100 } as const;

const endpoint = endpointsOf('Console', { throttle });

export const endConsoleSessions = endpoint({
  route: 'DELETE /api/admin/console/sessions',
  summary: "Ends the caller's sessions except that of the request.",
  description:
    'It signs a person out in all other browsers. Their tokens stay. Processes that used a session recently may accept it for a few more seconds.',
  permission: 'NONE',
  responses: { 204: null },
}).handle(({ request, caller, session }) => endOtherSessions(request, caller, session));

export const getConsoleEvents = endpoint({
  route: 'GET /api/admin/console/events',
  summary: 'Finds events, newest first, with the people and environments that one can choose from to find others.',
  description:
    'The search is that of `/api/admin/search/events`, without stars and registrations unless `show` is `all`. Events have the names of their authors, and the first 100 change ' +
    'requests among them those who approved. The people are the authors of the newest 1,000 changes.',
  permission: 'NONE',
  query: eventsQuery,
  responses: { 200: consoleEvents },
}).handle(({ request, query }) => loadEventsPage(request, query));

export const getConsoleFlag = endpoint({
  route: 'GET /api/admin/console/projects/{projectId}/flags/{featureName}',
  summary: 'Returns a flag with its use, applications, segments, open change requests and newest events.',
  description:
    '`version` is the ETag of the flag, for `If-Match` of a change. The numbers of evaluations are those of the last 24 ' +
    'hours, the oldest hour first; a flag that nobody has evaluated has none.',
  // Favorites depend on the caller.
  permission: 'NONE',
  responses: { 200: consoleFlag },
}).handle(async ({ request, caller, params }) => {
  const { version, ...flag } = await loadFlag(request, caller, params);
  return { ...flag, version: etagOf(version) };
});

export const getConsoleFlags = endpoint({
  route: 'GET /api/admin/console/flags',
  summary: 'Lists the live flags of all projects that the caller sees, or of one, as a list shows them.',
  description:
    'Evaluations are those of about the last hour, of at most 100 flags that were used lately: of favorites and kill ' +
    'switches first. An unknown project has no flags.',
  // Favorites depend on the caller.
  permission: 'NONE',
  query: flagsQuery,
  responses: { 200: consoleFlags },
}).handle(({ request, caller, query }) => loadFlags(request, caller, query.project));

export const getConsoleNow = endpoint({
  route: 'GET /api/admin/console/now',
  summary: 'Returns the switches of production and the events of the last hour, for an incident.',
  description:
    'It lists all live features of the projects that the caller sees, with their state in environments of the type ' +
    '`production` and about how often they were evaluated in the last hour.',
  // Favorites depend on the caller.
  permission: 'NONE',
  responses: { 200: consoleNow },
}).handle(({ request, caller }) => loadNow(request, caller));

export const getConsoleProjects = endpoint({
  route: 'GET /api/admin/console/projects',
  summary: 'Lists the live or the archived projects that the caller sees, with their protected environments.',
  description: '`protected` lists the environments in which changes need approval.',
  // Favorites depend on the caller.
  permission: 'NONE',
  query: projectsQuery,
  responses: { 200: consoleProjects },
}).handle(({ request, caller, query }) => loadProjects(request, caller, { archived: query.archived === 'true' }));

export const getConsoleRequest = endpoint({
  route: 'GET /api/admin/console/requests/{projectId}/{id}',
  summary: 'Returns a change request with its effects, its reviewers, and the actions that the caller may take.',
  description:
    '`may` is true for an allowed action, otherwise the reason why it is not. `version` is the ETag of the request, for ' +
    '`If-Match` of an approval.',
  permission: 'NONE',
  params: changeRequestPath,
  responses: { 200: consoleRequest },
}).handle(async ({ request, caller, params }) => {
  const { version, ...page } = await loadRequestPage(request, caller, params);
  return { ...page, version: etagOf(version) };
});

export const getConsoleReviews = endpoint({
  route: 'GET /api/admin/console/reviews',
  summary: 'Lists the open change requests that the caller sees, the newest first.',
  description: '`isWaiting` is true for those that the caller could review or apply now.',
  permission: 'NONE',
  responses: { 200: consoleReviews },
}).handle(({ request, caller }) => loadReviews(request, caller));

export const getConsoleSessions = endpoint({
  route: 'GET /api/admin/console/sessions',
  summary: "Lists the caller's sessions, the newest first.",
  description: '`isCurrent` is true for the session of the request. A session ends after two days without use.',
  permission: 'NONE',
  responses: { 200: consoleSessions },
}).handle(({ request, caller, session }) => loadOwnSessions(request, caller, session));

export const getConsoleStart = endpoint({
  route: 'GET /api/admin/console/start',
  summary: 'Returns the data of every page of the console: the caller, their permissions, projects and open reviews.',
  description: 'The 401 for a caller without a session lists the ways to sign in. The call prolongs the session.',
  permission: 'NONE',
  waysIn: loadWaysIn,
  rights: 'count',
  reads: ['FLAGSTAFF_COMMIT'],
  responses: { 200: consoleStart },
}).handle(async ({ request, caller }) => ({ ...(await loadConsoleStart(request, caller)), version: buildName() }));
