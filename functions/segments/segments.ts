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
  summary: 'Creates a segment: constraints that several strategies share.',
  description:
    'With `project`, only features of that project can use it. The reply is 409 if the name is in use, and 400 if a value is not legal for its context field.',
  permission: ['CREATE_SEGMENT', 'UPDATE_PROJECT_SEGMENT'],
  permissionBy: 'body',
  body: segmentInput,
  responses: { 201: segment },
  etag: true,
  errors: [404, 409],
})
  // The permission for all projects, or that for segments of the segment's project.
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
  description: 'It includes the constraints. `GET …/strategies` lists the strategies that use the segment.',
  params: segmentPath,
  responses: { 200: segment },
  etag: true,
}).handle(
  ({ request, params }) => segments.load(request, params.id),
  (loaded) => ({ body: segmentViewOf(loaded) }),
);

export const getSegments = endpoint({
  route: 'GET /api/admin/segments',
  summary: 'Lists all segments, with the number of live features that use each.',
  description: 'They are sorted by name, and include their constraints.',
  responses: { 200: object({ segments: v.array(listedSegment) }) },
}).handle(async ({ request }) => ({ segments: await uses.listSegments(request) }));

export const getSegmentsByStrategyId = endpoint({
  route: 'GET /api/admin/segments/strategies/{strategyId}',
  summary: 'Lists the segments that a strategy of a live feature uses. The list is empty for an unknown strategy.',
  description:
    "They are in the order of the strategy. A user must match all of them, and the strategy's own constraints.",
  responses: { 200: object({ segments: v.array(segment) }) },
  errors: [],
}).handle(async ({ request, params }) => ({ segments: await uses.listSegmentsOfStrategy(request, params.strategyId) }));

export const getStrategiesBySegmentId = endpoint({
  route: 'GET /api/admin/segments/{id}/strategies',
  summary: 'Lists the strategies that use a segment.',
  description:
    '`changeRequestStrategies` are strategies that will use it when a change request is applied. A segment cannot be deleted while strategies use it.',
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
  summary: 'Deletes a segment, unless a strategy of a live feature uses it.',
  description: 'If it is used, the reply is 409 and names the users.',
  permission: ['DELETE_SEGMENT', 'UPDATE_PROJECT_SEGMENT'],
  // For a segment of a project, the permission in that project is enough.
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
  description:
    'The body names the project, the environment and the strategy. The reply is 404 for an unknown strategy.',
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
    'This changes all strategies that use it, in all environments. The reply is 403 if changes in one of these environments need approval.',
  permission: ['UPDATE_SEGMENT', 'UPDATE_PROJECT_SEGMENT'],
  // For a segment of a project, the permission in that project is enough, and in the new project if it moves.
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
  summary: 'Checks whether a segment can have a name.',
  description:
    'The reply is 409 if the name is in use, and 400 if it breaks a rule. The permission is needed in at least one project.',
  permission: namesSegments,
  permissionBy: 'body',
  rights: 'read',
  body: object({ name: segmentName }),
  responses: { 204: null },
  errors: [409],
})
  // The permission in any project is enough.
  .needs(({ caller }) => [{ permission: namesSegments, project: findProjectWith(caller, 'UPDATE_PROJECT_SEGMENT') }])
  .handle(({ request, body }) => segments.requireFreeName(request, body.name));
