import { endpoint } from '../../lib/http/endpoint.ts';
import { deleteProjectApiToken } from '../../lib/tokens/api-tokens.ts';

export const handler = endpoint({
  route: 'DELETE /api/admin/projects/{projectId}/api-tokens/{token}',
  group: 'Tokens',
  summary: 'Deletes an SDK token that is for this project alone.',
  description:
    '`token` is its secret, or the masked secret that lists show, or its id. It may be accepted for five more seconds.',
  permission: 'DELETE_PROJECT_API_TOKEN',
  responses: { 200: null },
  etag: 'checked',
}).handle(({ request, caller, params }) => deleteProjectApiToken(request, caller, params.projectId, params.token));
