import * as v from 'valibot';
import { changeRequest } from '../../lib/change-requests/change-request-schema.ts';
import { listPendingFor } from '../../lib/change-requests/views/lists.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'GET /api/admin/projects/{projectId}/change-requests/pending/{featureName}',
  group: 'Change requests',
  summary: 'Lists the open change requests that change a feature.',
  permission: 'NONE',
  responses: { 200: v.array(changeRequest) },
}).handle(({ request, caller, params }) => listPendingFor(request, caller, params.projectId, params.featureName));
