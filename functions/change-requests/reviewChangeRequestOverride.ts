import { changeRequestPath, reviewInput } from '../../lib/change-requests/change-request-schema.ts';
import { reviewOverride } from '../../lib/change-requests/override.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'POST /api/admin/projects/{projectId}/change-requests/{id}/review',
  group: 'Change requests',
  summary: 'Records the review of what was changed under an override that has ended.',
  permission: 'NONE',
  params: changeRequestPath,
  body: reviewInput,
  responses: { 204: null },
  etag: true,
}).handle(({ request, caller, params, body }) => reviewOverride(request, caller, params, body.comment));
