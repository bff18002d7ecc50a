import * as v from 'valibot';
import { markStale } from '../../lib/features/lifecycle/mark-stale.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { boolean, object, text } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'POST /api/admin/projects/{projectId}/stale',
  group: 'Features',
  summary: 'Marks features as stale, or as not stale.',
  permission: 'UPDATE_FEATURE',
  body: object({ features: v.array(text), stale: boolean }),
  // One call may write several items for each of hundreds of features.
  throttle: { ratePerSecond: 20, burst: 40 },
  responses: { 202: null },
}).handle(({ request, caller, params, body }) => markStale(request, caller, params.projectId, body));
