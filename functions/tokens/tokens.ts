import { endpointsOf } from '../../lib/http/endpoint.ts';
import { allProjects } from '../../lib/identity/tokens/token.ts';
import {
  apiToken,
  apiTokenInput,
  apiTokens,
  apiTokenUpdate,
  projectApiTokenInput,
} from '../../lib/tokens/api-token-schema.ts';
import * as lib from '../../lib/tokens/api-tokens.ts';

const endpoint = endpointsOf('Tokens');

export const createApiToken = endpoint({
  route: 'POST /api/admin/api-tokens',
  summary: 'Creates an SDK token.',
  description: 'Only this reply shows the secret of a client token.',
  permission: ['CREATE_CLIENT_API_TOKEN', 'CREATE_FRONTEND_API_TOKEN'],
  body: apiTokenInput,
  reads: ['API_TOKENS_LIMIT', 'READABLE_CLIENT_TOKENS'],
  responses: { 201: apiToken },
  etag: true,
  secret: true,
  errors: [404],
})
  .needs(({ body }) => [{ permission: lib.tokenPermissionOf('CREATE', lib.kindOfType(body.type).kind) }])
  .handle(
    async ({ request, caller, body }) => {
      const { projects = [body.project ?? allProjects] } = body;
      await lib.requireMembership(request, caller, projects);
      return lib.createApiToken(request, caller, lib.toNewApiToken(body, projects));
    },
    (_token) => ({ headers: { location: '/api/admin/api-tokens' } }),
  );

export const createProjectApiToken = endpoint({
  route: 'POST /api/admin/projects/{projectId}/api-tokens',
  summary: 'Creates an SDK token for one project.',
  description:
    'Only this reply shows the secret of a client token. A project can have a tenth of API_TOKENS_LIMIT at most.',
  permission: 'CREATE_PROJECT_API_TOKEN',
  body: projectApiTokenInput,
  reads: ['API_TOKENS_LIMIT', 'READABLE_CLIENT_TOKENS'],
  responses: { 201: apiToken },
  etag: true,
  secret: true,
}).handle(
  ({ request, caller, params, body }) =>
    lib.createProjectApiToken(request, caller, lib.toNewApiToken(body, []), params.projectId),
  (_token, { params }) => ({ headers: { location: `/api/admin/projects/${params.projectId}/api-tokens` } }),
);

export const deleteApiToken = endpoint({
  route: 'DELETE /api/admin/api-tokens/{token}',
  summary: 'Deletes an API token.',
  description:
    '`token` is the secret, the masked secret in lists, or the id. The token may be accepted for five more seconds.',
  permission: ['DELETE_CLIENT_API_TOKEN', 'DELETE_FRONTEND_API_TOKEN'],
  responses: { 200: null },
  etag: 'checked',
}).handle(({ request, caller, params }) => lib.deleteApiToken(request, caller, params.token));

export const deleteProjectApiToken = endpoint({
  route: 'DELETE /api/admin/projects/{projectId}/api-tokens/{token}',
  summary: 'Deletes an SDK token that is valid for this project only.',
  description:
    '`token` is the secret, the masked secret in lists, or the id. The token may be accepted for five more seconds.',
  permission: 'DELETE_PROJECT_API_TOKEN',
  responses: { 200: null },
  etag: 'checked',
}).handle(({ request, caller, params }) => lib.deleteProjectApiToken(request, caller, params.projectId, params.token));

export const getAllApiTokens = endpoint({
  route: 'GET /api/admin/api-tokens',
  summary: 'Lists the API tokens of the types that the caller may read.',
  description:
    'The secret of a client or an admin token is shown only when it is created. After that, `secret` contains its beginning, `***masked-since-shown-once***` and the id of the token. The secret of a frontend token is shown to callers who may create one for the same projects.',
  permission: ['READ_CLIENT_API_TOKEN', 'READ_FRONTEND_API_TOKEN'],
  reads: ['READABLE_CLIENT_TOKENS'],
  responses: { 200: apiTokens },
}).handle(async ({ request, caller }) => ({ tokens: await lib.listApiTokens(request, caller) }));

export const getApiTokensByName = endpoint({
  // `token` is a name here. Other methods have a secret in its place, and a path has only one name for it.
  route: 'GET /api/admin/api-tokens/{token}',
  summary: 'Lists the API tokens with a name, of the types that the caller may read.',
  description: '`token` is the name. Several tokens may have the same name. The list is empty for an unknown name.',
  permission: ['READ_CLIENT_API_TOKEN', 'READ_FRONTEND_API_TOKEN'],
  reads: ['READABLE_CLIENT_TOKENS'],
  responses: { 200: apiTokens },
  errors: [],
}).handle(async ({ request, caller, params }) => {
  const tokens = await lib.listApiTokens(request, caller);
  return { tokens: tokens.filter(({ tokenName }) => tokenName === params.token) };
});

export const getProjectApiTokens = endpoint({
  route: 'GET /api/admin/projects/{projectId}/api-tokens',
  summary: 'Lists the SDK tokens of a project.',
  description:
    'Tokens for all projects are not included. The secret of a token for several projects is shown only to callers who may create such a token.',
  permission: 'READ_PROJECT_API_TOKEN',
  reads: ['READABLE_CLIENT_TOKENS'],
  responses: { 200: apiTokens },
}).handle(async ({ request, caller, params }) => ({
  tokens: await lib.listProjectApiTokens(request, caller, params.projectId),
}));

export const updateApiToken = endpoint({
  route: 'PUT /api/admin/api-tokens/{token}',
  summary: 'Sets the expiry of an API token.',
  description: '`token` is the secret, the masked secret in lists, or the id.',
  permission: ['UPDATE_CLIENT_API_TOKEN', 'UPDATE_FRONTEND_API_TOKEN'],
  body: apiTokenUpdate,
  responses: { 200: null },
  etag: true,
}).handle(({ request, caller, params, body: { expiresAt } }) =>
  lib.updateApiToken(request, caller, params.token, expiresAt === null ? undefined : new Date(expiresAt)),
);
