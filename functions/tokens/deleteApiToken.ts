import { endpoint } from '../../lib/http/endpoint.ts';
import { deleteApiToken } from '../../lib/tokens/api-tokens.ts';

export const handler = endpoint({
  route: 'DELETE /api/admin/api-tokens/{token}',
  group: 'Tokens',
  summary: 'Deletes an API token.',
  description:
    '`token` is its secret, or the masked secret that lists show, or its id. It may be accepted for five more seconds.',
  permission: ['DELETE_CLIENT_API_TOKEN', 'DELETE_FRONTEND_API_TOKEN'],
  responses: { 200: null },
  etag: 'checked',
}).handle(({ request, caller, params }) => deleteApiToken(request, caller, params.token));
