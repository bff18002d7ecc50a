import { endpoint } from '../../lib/http/endpoint.ts';
import { apiTokens } from '../../lib/tokens/api-token-schema.ts';
import { listApiTokens } from '../../lib/tokens/api-tokens.ts';

export const handler = endpoint({
  // What is called `token` is a name here; it shares its place in the path with the secret of other methods.
  route: 'GET /api/admin/api-tokens/{token}',
  group: 'Tokens',
  summary: 'Lists the API tokens with a name, of the types that the caller may read.',
  description: '`token` is the name. Names are not unique; for an unknown name the list is empty.',
  permission: ['READ_CLIENT_API_TOKEN', 'READ_FRONTEND_API_TOKEN'],
  reads: ['READABLE_CLIENT_TOKENS'],
  responses: { 200: apiTokens },
  errors: [],
}).handle(async ({ request, caller, params }) => {
  const tokens = await listApiTokens(request, caller);
  return { tokens: tokens.filter(({ tokenName }) => tokenName === params.token) };
});
