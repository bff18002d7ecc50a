import * as v from 'valibot';
import { scheduledChangeRequest, scheduledQuery } from '../../lib/change-requests/change-request-schema.ts';
import { listScheduled } from '../../lib/change-requests/views/lists.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'GET /api/admin/projects/{projectId}/change-requests/scheduled',
  group: 'Change requests',
  summary: 'Lists the scheduled change requests that a change of features, of a strategy or of variants would touch.',
  permission: 'NONE',
  query: scheduledQuery,
  repeated: ['feature'],
  responses: { 200: v.array(scheduledChangeRequest) },
}).handle(({ request, caller, params, query }) => listScheduled(request, caller, params.projectId, query));
