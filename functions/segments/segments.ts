import * as v from 'valibot';
import { requestedStrategy } from '../../lib/change-requests/change-request-schema.ts';
import { suspendSchedules } from '../../lib/change-requests/schedules/suspension.ts';
import { listRequestedUses } from '../../lib/change-requests/views/open-requests.ts';
import { placedStrategy, segmentIds } from '../../lib/features/strategies/strategy-schema.ts';
import * as uses from '../../lib/features/uses/segment-uses.ts';
import { endpointsOf } from '../../lib/http/endpoint.ts';
import { findProjectWith } from '../../lib/identity/caller.ts';
import * as lib from '../../lib/segments/administer-segments.ts';
import { segmentInput, segmentUpdate } from '../../lib/segments/segment-input-schema.ts';
import { listedSegment, segment, segmentName, segmentPath } from '../../lib/segments/segment-schema.ts';
import { buildSegmentContent, segments, segmentViewOf } from '../../lib/segments/segments.ts';
import { object, text } from '../../lib/values/primitives.ts';

const endpoint = endpointsOf('Segments');
const flagChange = endpointsOf('Segments', { effectsOf: suspendSchedules });

export const createSegment = endpoint({
  route: 'POST /api/admin/segments',
  summary: 'Creates a segment.',
  description:
    'It has constraints that several strategies share. With `project`, only features of this project can use it. A name in use is a 409, and a value that is not legal for its context field a 400.',
  permission: ['CREATE_SEGMENT', 'UPDATE_PROJECT_SEGMENT'],
  permissionBy: 'body',
  body: segmentInput,
  responses: { 201: segment },
  etag: true,
  errors: [404, 409],
})
  // That for all projects, or that for the segments of the project which it is for.
  .needs(({ body }) => [
    {
      permission: ['CREATE_SEGMENT', 'UPDATE_PROJECT_SEGMENT'],
      project: buildSegmentContent(body).project ?? undefined,
    },
  ])
  .handle(
    ({ request, caller, body }) => lib.createSegment(request, caller, body),
    ({ id }) => ({ headers: { location: `/api/admin/segments/${id}` } }),
  );

export const getSegment = endpoint({
  route: 'GET /api/admin/segments/{id}',
  summary: 'Returns a segment.',
  description: 'It has the constraints of the segment. `GET …/strategies` lists the strategies that use it.',
  params: segmentPath,
  responses: { 200: segment },
  etag: true,
}).handle(
  ({ request, params }) => segments.load(request, params.id),
  (found) => ({ body: segmentViewOf(found) }),
);

export const getSegments = endpoint({
  route: 'GET /api/admin/segments',
  summary: 'Lists all segments, with the number of live features that use each.',
  description: 'They are listed by name, each with its constraints.',
  responses: { 200: object({ segments: v.array(listedSegment) }) },
}).handle(async ({ request }) => ({ segments: await uses.listSegments(request) }));

export const getSegmentsByStrategyId = endpoint({
  route: 'GET /api/admin/segments/strategies/{strategyId}',
  summary: 'Lists the segments that a strategy of a live feature uses; none for an unknown strategy.',
  description: 'They come in the order that the strategy has. The constraints of all of them hold beside its own.',
  responses: { 200: object({ segments: v.array(segment) }) },
  errors: [],
}).handle(async ({ request, params }) => ({ segments: await uses.listSegmentsOfStrategy(request, params.strategyId) }));

export const getStrategiesBySegmentId = endpoint({
  route: 'GET /api/admin/segments/{id}/strategies',
  summary: 'Lists the strategies that use a segment.',
  description:
    '`changeRequestStrategies` are those that are to use it once a change request is applied. A segment that strategies use cannot be deleted.',
  permission: 'NONE',
  params: segmentPath,
  responses: {
    200: object({ strategies: v.array(placedStrategy), changeRequestStrategies: v.array(requestedStrategy) }),
  },
}).handle(async ({ request, caller, params }) => {
  const [strategies, changeRequestStrategies] = await Promise.all([
    uses.listStrategiesOfSegment(request, params.id),
    listRequestedUses(request, caller, params.id),
  ]);
  return { strategies, changeRequestStrategies };
});

export const removeSegment = flagChange({
  route: 'DELETE /api/admin/segments/{id}',
  summary: 'Deletes a segment that no strategy of a live feature uses.',
  description: 'A 409 names what uses it.',
  permission: ['DELETE_SEGMENT', 'UPDATE_PROJECT_SEGMENT'],
  // Of a segment of one project, the permission there is enough.
  permissionBy: 'store',
  params: segmentPath,
  responses: { 204: null },
  etag: 'checked',
  errors: [404, 409],
}).handle(({ request, caller, params }) => uses.removeSegment(request, caller, params.id));

const strategySegments = object({ projectId: text, strategyId: text, environmentId: text, segmentIds });

export const updateFeatureStrategySegments = flagChange({
  route: 'POST /api/admin/segments/strategies',
  summary: 'Replaces the segments that a strategy uses.',
  description: 'The body names the project, the environment and the strategy. A strategy that is not there is a 404.',
  permission: 'UPDATE_FEATURE_STRATEGY',
  permissionBy: 'body',
  body: strategySegments,
  responses: { 201: strategySegments },
  etag: true,
  errors: [404],
})
  .needs(({ body: { projectId: project, environmentId: environment } }) => [
    { permission: 'UPDATE_FEATURE_STRATEGY', project, environment },
  ])
  .handle(
    ({ request, caller, body }) => uses.setSegments(request, caller, body),
    (_, { body }) => ({ body }),
  );

export const updateSegment = flagChange({
  route: 'PUT /api/admin/segments/{id}',
  summary: 'Updates a segment: its name, description, project and constraints.',
  description:
    'All strategies that use it change with it, in all environments. It is a 403 where changes in one of these need approval.',
  permission: ['UPDATE_SEGMENT', 'UPDATE_PROJECT_SEGMENT'],
  // Of a segment of one project, that permission is enough in this project, and in the one that it is given to.
  permissionBy: 'store',
  params: segmentPath,
  body: segmentUpdate,
  responses: { 204: null },
  etag: true,
  errors: [404, 409],
}).handle(
  ({ request, caller, params, body }) => uses.updateSegment(request, caller, params.id, body),
  () => ({}),
);

const namesSegments = ['CREATE_SEGMENT', 'UPDATE_SEGMENT', 'UPDATE_PROJECT_SEGMENT'] as const;

export const validateSegment = endpoint({
  route: 'POST /api/admin/segments/validate',
  summary: 'Checks whether a segment can be created with a name.',
  description:
    'A 409 means that the name is in use, a 400 that it breaks a rule. It is enough to have the permission in some project.',
  permission: namesSegments,
  permissionBy: 'body',
  rights: 'read',
  body: object({ name: segmentName }),
  responses: { 204: null },
  errors: [409],
})
  // It is enough to have it in some project.
  .needs(({ caller }) => [{ permission: namesSegments, project: findProjectWith(caller, 'UPDATE_PROJECT_SEGMENT') }])
  .handle(({ request, body }) => segments.requireFreeName(request, body.name));
