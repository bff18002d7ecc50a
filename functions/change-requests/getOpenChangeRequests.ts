import * as v from 'valibot';
import { changeRequest } from '../../lib/change-requests/change-request-schema.ts';
import { listPending } from '../../lib/change-requests/views/lists.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'GET /api/admin/projects/{projectId}/change-requests/open',
  group: 'Change requests',
  summary: 'Lists the same as `pending`, under its old name.',
  permission: 'NONE',
  deprecated: true,
  responses: { 200: v.array(changeRequest) },
}).handle(({ request, caller, params }) => listPending(request, caller, params.projectId));
