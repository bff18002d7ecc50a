import { segmentIds } from '../../lib/features/strategies/strategy-schema.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { assertMay } from '../../lib/people/rights/caller.ts';
import { setSegments } from '../../lib/segments/segment-uses.ts';
import { object, text } from '../../lib/values/primitives.ts';

const strategySegments = object({ projectId: text, strategyId: text, environmentId: text, segmentIds });

export const handler = endpoint({
  method: 'POST',
  path: '/api/admin/segments/strategies',
  group: 'Segments',
  summary: 'Replaces the segments that a strategy uses.',
  permission: 'UPDATE_FEATURE_STRATEGY',
  // The project in which it must hold stands in the body.
  authorizedBy: 'handler',
  body: strategySegments,
  responses: { 201: strategySegments },
  etag: true,
  errors: [404],
}).handle(
  async ({ request, caller, body }) => {
    assertMay(caller, ['UPDATE_FEATURE_STRATEGY'], body.projectId, body.environmentId);
    return setSegments(request, caller, body);
  },
  (_, { body }) => ({ body }),
);
