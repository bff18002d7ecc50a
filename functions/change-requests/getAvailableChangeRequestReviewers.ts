import { reviewers } from '../../lib/change-requests/change-request-schema.ts';
import { availableReviewers } from '../../lib/change-requests/reviewers.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'GET /api/admin/projects/{projectId}/change-requests/available-reviewers/{environment}',
  group: 'Change requests',
  summary: 'Lists the users who may approve changes in an environment of a project.',
  permission: 'NONE',
  responses: { 200: reviewers },
}).handle(({ request, params }) => availableReviewers(request, params.projectId, params.environment));
