import { endpoint } from '../../lib/http/endpoint.ts';
import { apiTokens } from '../../lib/tokens/api-token-schema.ts';
import { listApiTokens } from '../../lib/tokens/api-tokens.ts';

export const handler = endpoint({
  route: 'GET /api/admin/api-tokens',
  group: 'Tokens',
  summary: 'Lists the API tokens of the types that the caller may read.',
  description:
    'The secret of a client or an admin token is shown once, when it is made. From then on `secret` is its beginning, `***masked-since-shown-once***` and the id of the token. ' +
    'The secret of a frontend token is shown to callers who could create one for the same projects.',
  permission: ['READ_CLIENT_API_TOKEN', 'READ_FRONTEND_API_TOKEN'],
  reads: ['READABLE_CLIENT_TOKENS'],
  responses: { 200: apiTokens },
}).handle(async ({ request, caller }) => ({ tokens: await listApiTokens(request, caller) }));
