import { suspendSchedules } from '../../lib/change-requests/schedules/suspension.ts';
import { endpointsOf } from '../../lib/http/endpoint.ts';
import { compareMoments } from '../../lib/time-travel/compare-moments.ts';
import { getFlagThen } from '../../lib/time-travel/get-flag-then.ts';
import * as projects from '../../lib/time-travel/project-moments.ts';
import { planRevert, revertFlag } from '../../lib/time-travel/revert-flag.ts';
import {
  atQuery,
  featureDifference,
  featureThen,
  momentsQuery,
  projectAtQuery,
  projectDifference,
  projectMomentsQuery,
  projectThen,
  revertInput,
  revertPlan,
  revertQuery,
} from '../../lib/time-travel/time-travel-schema.ts';

const endpoint = endpointsOf('Time travel');
const flagChange = endpointsOf('Time travel', { effectsOf: suspendSchedules });

/** The rate of requests, each of which may read the whole history of a feature. */
const throttle = { ratePerSecond: 20, burst: 40 };

export const compareFeature = endpoint({
  route: 'GET /api/admin/projects/{projectId}/features/{featureName}/difference',
  summary: 'Compares a feature at two moments, by environment.',
  description:
    '`from` and `to` are moments as in `…/then`; without `to` it is now. The changes lead from the first state to the second, in the form of those of change requests, each with the old value as `before`. A feature that did not exist counts as an archived one without content.',
  query: momentsQuery,
  throttle,
  responses: { 200: featureDifference },
}).handle(({ request, params, query }) => compareMoments(request, params, query));

export const compareProject = endpoint({
  route: 'GET /api/admin/projects/{projectId}/difference',
  summary: 'Compares the features of a project at two times, page by page.',
  description:
    '`from` and `to` are times; without `to` it is now. Features that are the same at both times are omitted, so a page may be empty: ask for the next one with `after` until `next` is null. Features that moved count at the times when they were in the project. The reply is 404 if the service has changed more than 20,000 times since the earlier time.',
  query: projectMomentsQuery,
  throttle,
  responses: { 200: projectDifference },
}).handle(({ request, params, query: { limit, after, ...times } }) =>
  projects.compareProject(request, params.projectId, times, { limit, after }),
);

export const getFeatureThen = endpoint({
  route: 'GET /api/admin/projects/{projectId}/features/{featureName}/then',
  summary: 'Returns a feature as SDKs got it at a moment.',
  description:
    '`at` is a time, or `before:123` or `after:123` with the id of an event of the feature: the state right before or after the change to which this event belongs. The state is rebuilt from the events: going back from the present, at most 20,000 changes. `exact` is false, and `doubts` say why, where events do not tell everything. The reply is 404 where they tell too little, for example before the feature was migrated from another server. The feature can be archived or deleted.',
  query: atQuery,
  throttle,
  responses: { 200: featureThen },
}).handle(({ request, params, query }) => getFlagThen(request, params, query.at));

export const getProjectThen = endpoint({
  route: 'GET /api/admin/projects/{projectId}/then',
  summary: 'Returns the live features of a project as SDKs got them at a time, page by page.',
  description:
    'Each feature is as in `…/features/{featureName}/then`. A page looks at `limit` features in the order of their names (50 by default, which is the most), and may show fewer; ask for the next one with `after` until `next` is null. The reply is 404 if the service has changed more than 20,000 times since then.',
  query: projectAtQuery,
  throttle,
  responses: { 200: projectThen },
}).handle(({ request, params, query: { at, limit, after } }) =>
  projects.getProjectThen(request, params.projectId, at, { limit, after }),
);

export const previewFeatureRevert = endpoint({
  route: 'GET /api/admin/projects/{projectId}/features/{featureName}/revert',
  summary: 'Lists the changes that would lead a feature back to a moment.',
  description:
    '`to` is a moment as in `…/then`; `environment`, repeatable, chooses environments. `changes` can be sent as a change request where they need approval. `obstacles` name what no longer exists, such as a segment; with any, a revert is refused.',
  query: revertQuery,
  repeated: ['environment'],
  throttle,
  responses: { 200: revertPlan },
  etag: true,
  errors: [409],
}).handle(({ request, params, query }) =>
  planRevert(request, params, { to: query.to, environments: query.environment }),
);

export const revertFeature = flagChange({
  route: 'POST /api/admin/projects/{projectId}/features/{featureName}/revert',
  summary: 'Leads a feature back to a moment, in one transaction.',
  description:
    'SDKs then get of the feature what they got at that moment, or the reply is 409 and names everything that prevents it. `environments` chooses environments; without it, the fields and the parents of the feature are reverted, too. The caller also needs the permissions of the operations that make the same changes, and the reply is 403 where changes need approval. Segments are shared, so they stay as they are; `notes` name those with other constraints.',
  permission: 'UPDATE_FEATURE',
  body: revertInput,
  throttle,
  responses: { 200: null },
  etag: true,
  errors: [409],
}).handle(({ request, caller, params, body }) => revertFlag(request, caller, params, body));
