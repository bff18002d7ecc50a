import { changeRequestPath, reviewersInput } from '../../lib/change-requests/change-request-schema.ts';
import { setReviewers } from '../../lib/change-requests/states.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'PUT /api/admin/projects/{projectId}/change-requests/{id}/approvers',
  group: 'Change requests',
  summary: 'Asks users to review a change request, instead of those who were asked before.',
  permission: 'NONE',
  params: changeRequestPath,
  body: reviewersInput,
  responses: { 200: null },
  etag: true,
}).handle(({ request, caller, params, body }) => setReviewers(request, caller, params, body.reviewers));
