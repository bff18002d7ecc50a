import { changeRequestPath, reviewers } from '../../lib/change-requests/change-request-schema.ts';
import { requestedReviewers } from '../../lib/change-requests/reviewers.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'GET /api/admin/projects/{projectId}/change-requests/{id}/approvers',
  group: 'Change requests',
  summary: 'Lists the users who are asked to review a change request.',
  permission: 'NONE',
  params: changeRequestPath,
  responses: { 200: reviewers },
}).handle(({ request, caller, params }) => requestedReviewers(request, caller, params));
