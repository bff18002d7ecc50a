import * as v from 'valibot';
import { endpointsOf } from '../../lib/http/endpoint.ts';
import { isServiceAccount } from '../../lib/identity/accounts.ts';
import { isRootRole, listRoles } from '../../lib/identity/roles.ts';
import { serviceAccounts } from '../../lib/identity/users.ts';
import * as lib from '../../lib/people/administer-service-accounts.ts';
import { accountPath, permissionOverview, permissionPlace } from '../../lib/people/rights/access-overview-schema.ts';
import { loadPermissionOverview } from '../../lib/people/rights/overview.ts';
import { role } from '../../lib/people/roles/role-schema.ts';
import {
  serviceAccount,
  serviceAccountName,
  serviceAccountPath,
  serviceAccountTokenPath,
  storedServiceAccountName,
} from '../../lib/people/service-account-schema.ts';
import { username } from '../../lib/people/user-fields.ts';
import { pat, patInput } from '../../lib/people/user-schema.ts';
import { createPatFor, deletePatFor, listPats } from '../../lib/tokens/personal-tokens.ts';
import { id, object, text } from '../../lib/values/primitives.ts';

const endpoint = endpointsOf('Service accounts');

export const createServiceAccount = endpoint({
  route: 'POST /api/admin/service-account',
  summary: 'Creates a service account, for a program that administers flags with its own tokens and cannot sign in.',
  description:
    '`rootRole` is the id of a root role. `POST …/{id}/token` creates a token. The reply is 409 if the user name is in use.',
  permission: 'ADMIN',
  body: object({ username, name: serviceAccountName, rootRole: id }),
  responses: { 201: serviceAccount },
  etag: true,
  errors: [409],
}).handle(
  ({ request, caller, body }) => lib.createServiceAccount(request, caller, body),
  (created) => ({
    headers: { location: `/api/admin/service-account/${created.id}` },
    body: lib.serviceAccountViewOf(created),
  }),
);

export const createServiceAccountToken = endpoint({
  route: 'POST /api/admin/service-account/{id}/token',
  summary: 'Creates a token of a service account.',
  description: 'Only this reply shows the secret.',
  permission: 'ADMIN',
  params: serviceAccountPath,
  body: patInput,
  responses: { 201: object({ ...pat.entries, secret: text }) },
  secret: true,
  errors: [404, 409],
}).handle(({ request, caller, params, body }) => createPatFor(request, caller, serviceAccounts, params.id, body));

export const deleteServiceAccount = endpoint({
  route: 'DELETE /api/admin/service-account/{id}',
  summary: 'Deletes a service account and its tokens.',
  description: 'Requests with its tokens get a 401. Its earlier events still show its name.',
  permission: 'ADMIN',
  params: serviceAccountPath,
  responses: { 200: null },
  etag: 'checked',
}).handle(({ request, caller, params }) => lib.deleteServiceAccount(request, caller, params.id));

export const deleteServiceAccountToken = endpoint({
  route: 'DELETE /api/admin/service-account/{id}/token/{tokenId}',
  summary: 'Deletes a token of a service account.',
  description: 'Requests with it get a 401.',
  permission: 'ADMIN',
  params: serviceAccountTokenPath,
  responses: { 200: null },
}).handle(({ request, caller, params }) => deletePatFor(request, caller, serviceAccounts, params.id, params.tokenId));

export const getServiceAccountPermissions = endpoint({
  route: 'GET /api/admin/service-account/{id}/permissions',
  summary: 'Lists the permissions of a service account, in the project and environment of the query.',
  description: 'They come from its root role, its roles in projects and its groups.',
  permission: 'ADMIN',
  params: accountPath,
  query: permissionPlace,
  responses: { 200: permissionOverview },
}).handle(({ request, params, query }) => loadPermissionOverview(request, params.id, query, isServiceAccount));

export const getServiceAccounts = endpoint({
  route: 'GET /api/admin/service-account',
  summary: 'Lists all service accounts with their tokens, and the roles that they can have.',
  description: 'The secrets of the tokens are not included.',
  permission: 'ADMIN',
  responses: { 200: object({ serviceAccounts: v.array(serviceAccount), rootRoles: v.array(role) }) },
}).handle(async ({ request }) => {
  const [serviceAccounts, roles] = await Promise.all([lib.listServiceAccounts(request), listRoles(request)]);
  return { serviceAccounts, rootRoles: roles.filter(isRootRole) };
});

export const getServiceAccountTokens = endpoint({
  route: 'GET /api/admin/service-account/{id}/token',
  summary: 'Lists the tokens of a service account, without their secrets.',
  description: 'Each has its description, its expiry and the time of its last use.',
  permission: 'ADMIN',
  params: serviceAccountPath,
  responses: { 200: object({ pats: v.array(pat) }) },
}).handle(async ({ request, params: { id } }) => {
  const [pats] = await Promise.all([listPats(request, id), serviceAccounts.load(request, id)]);
  return { pats };
});

export const updateServiceAccount = endpoint({
  route: 'PUT /api/admin/service-account/{id}',
  summary:
    'Updates the name and the role of a service account. Omitted fields keep their values. The reply does not include its tokens.',
  description: 'Its tokens stay valid, with the new permissions.',
  permission: 'ADMIN',
  params: serviceAccountPath,
  body: object({ name: v.exactOptional(storedServiceAccountName), rootRole: v.exactOptional(id) }),
  responses: { 200: serviceAccount },
  etag: true,
}).handle(
  ({ request, caller, params, body }) => lib.updateServiceAccount(request, caller, params.id, body),
  (updated) => ({ body: lib.serviceAccountViewOf(updated) }),
);
