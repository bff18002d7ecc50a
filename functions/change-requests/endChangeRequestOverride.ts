import { overridePath } from '../../lib/change-requests/change-request-schema.ts';
import { endOverride } from '../../lib/change-requests/override.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'DELETE /api/admin/projects/{projectId}/environments/{environment}/change-requests/override/{id}',
  group: 'Change requests',
  summary: 'Ends an override early, or vetoes one that is to begin.',
  permission: 'APPROVE_CHANGE_REQUEST',
  params: overridePath,
  responses: { 204: null },
  etag: 'checked',
}).handle(({ request, caller, params }) => endOverride(request, caller, params));
