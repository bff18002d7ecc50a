import { endpoint } from '../../lib/http/endpoint.ts';
import { apiTokenUpdate } from '../../lib/tokens/api-token-schema.ts';
import { updateApiToken } from '../../lib/tokens/api-tokens.ts';

export const handler = endpoint({
  route: 'PUT /api/admin/api-tokens/{token}',
  group: 'Tokens',
  summary: 'Sets the expiry of an API token.',
  description: '`token` is its secret, or the masked secret that lists show, or its id.',
  permission: ['UPDATE_CLIENT_API_TOKEN', 'UPDATE_FRONTEND_API_TOKEN'],
  body: apiTokenUpdate,
  responses: { 200: null },
  etag: true,
}).handle(({ request, caller, params, body: { expiresAt } }) =>
  updateApiToken(request, caller, params.token, expiresAt === null ? undefined : new Date(expiresAt)),
);
