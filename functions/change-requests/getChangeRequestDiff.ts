import { changeRequestPath, preview } from '../../lib/change-requests/change-request-schema.ts';
import { previewChangeRequest } from '../../lib/change-requests/views/preview.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'GET /api/admin/projects/{projectId}/change-requests/{id}/diff',
  group: 'Change requests',
  summary: 'Returns the effects that applying a change request would have now.',
  permission: 'NONE',
  params: changeRequestPath,
  responses: { 200: preview },
}).handle(({ request, caller, params }) => previewChangeRequest(request, caller, params));
