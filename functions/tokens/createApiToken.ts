import { endpoint } from '../../lib/http/endpoint.ts';
import { apiToken, apiTokenInput } from '../../lib/tokens/api-token-schema.ts';
import { createApiToken, kindOf, newApiTokenOf, permissionFor, relyOnSeeing } from '../../lib/tokens/api-tokens.ts';
import { allProjects } from '../../lib/tokens/token.ts';

export const handler = endpoint({
  route: 'POST /api/admin/api-tokens',
  group: 'Tokens',
  summary: 'Creates an SDK token.',
  description: 'The secret of a client token is shown in this reply only.',
  permission: ['CREATE_CLIENT_API_TOKEN', 'CREATE_FRONTEND_API_TOKEN'],
  body: apiTokenInput,
  reads: ['API_TOKENS_LIMIT', 'READABLE_CLIENT_TOKENS'],
  responses: { 201: apiToken },
  etag: true,
  secret: true,
  errors: [404],
})
  .needs(({ body }) => [{ permission: permissionFor('CREATE', kindOf(body.type).kind) }])
  .handle(
    async ({ request, caller, body }) => {
      const { projects = [body.project ?? allProjects] } = body;
      await relyOnSeeing(request, caller, projects);
      return createApiToken(request, caller, newApiTokenOf(body, projects));
    },
    (_token) => ({ headers: { location: '/api/admin/api-tokens' } }),
  );
