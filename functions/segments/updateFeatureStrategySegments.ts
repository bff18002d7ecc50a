import { segmentIds } from '../../lib/features/strategies/strategy-schema.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { setSegments } from '../../lib/segments/segment-uses.ts';
import { object, text } from '../../lib/values/primitives.ts';

const strategySegments = object({ projectId: text, strategyId: text, environmentId: text, segmentIds });

export const handler = endpoint({
  route: 'POST /api/admin/segments/strategies',
  group: 'Segments',
  summary: 'Replaces the segments that a strategy uses.',
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
    ({ request, caller, body }) => setSegments(request, caller, body),
    (_, { body }) => ({ body }),
  );
