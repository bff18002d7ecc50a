import { endpoint } from '../../lib/http/endpoint.ts';
import { apiTokens } from '../../lib/tokens/api-token-schema.ts';
import { listProjectApiTokens } from '../../lib/tokens/api-tokens.ts';

export const handler = endpoint({
  method: 'GET',
  path: '/api/admin/projects/{projectId}/api-tokens',
  group: 'Tokens',
  summary: 'Lists the tokens for SDKs that are for a project.',
  description:
    'Tokens for all projects are not among them. The secret of one that is for other projects, too, is not shown to those who could not make it.',
  permission: 'READ_PROJECT_API_TOKEN',
  reads: ['READABLE_CLIENT_TOKENS'],
  responses: { 200: apiTokens },
  errors: [404],
}).handle(async ({ request, caller, params }) => ({
  tokens: await listProjectApiTokens(request, caller, params.projectId),
}));
