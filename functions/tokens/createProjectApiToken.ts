import { endpoint } from '../../lib/http/endpoint.ts';
import { apiToken, projectApiTokenInput } from '../../lib/tokens/api-token-schema.ts';
import { createProjectApiToken, newApiTokenOf } from '../../lib/tokens/api-tokens.ts';

export const handler = endpoint({
  route: 'POST /api/admin/projects/{projectId}/api-tokens',
  group: 'Tokens',
  summary: 'Creates an SDK token for one project.',
  description:
    'The secret of a client token is shown in this reply only. A project has at most a tenth of API_TOKENS_LIMIT.',
  permission: 'CREATE_PROJECT_API_TOKEN',
  body: projectApiTokenInput,
  reads: ['API_TOKENS_LIMIT', 'READABLE_CLIENT_TOKENS'],
  responses: { 201: apiToken },
  etag: true,
  secret: true,
}).handle(
  ({ request, caller, params, body }) =>
    createProjectApiToken(request, caller, newApiTokenOf(body, []), params.projectId),
  (_token, { params }) => ({ headers: { location: `/api/admin/projects/${params.projectId}/api-tokens` } }),
);
