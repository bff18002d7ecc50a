import { endpoint } from '../../lib/http/endpoint.ts';
import { apiTokens } from '../../lib/tokens/api-token-schema.ts';
import { listProjectApiTokens } from '../../lib/tokens/api-tokens.ts';

export const handler = endpoint({
  route: 'GET /api/admin/projects/{projectId}/api-tokens',
  group: 'Tokens',
  summary: 'Lists the SDK tokens of a project.',
  description:
    'Tokens for all projects are not among them. The secret of a token that is for other projects as well is shown only to callers who could create it.',
  permission: 'READ_PROJECT_API_TOKEN',
  reads: ['READABLE_CLIENT_TOKENS'],
  responses: { 200: apiTokens },
}).handle(async ({ request, caller, params }) => ({
  tokens: await listProjectApiTokens(request, caller, params.projectId),
}));
