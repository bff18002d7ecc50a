import { endpointsOf } from '../../lib/http/endpoint.ts';
import { userViewOf } from '../../lib/people/account-views.ts';
import { rootRoleIdOf, rootRoleOrId } from '../../lib/people/user-fields.ts';
import { user } from '../../lib/people/user-schema.ts';
import { accessRequests, approveAccessRequest, rejectAccessRequest } from '../../lib/sign-in/access-requests.ts';
import { accessRequestList, accessRequestPath } from '../../lib/sign-in/sign-in-schema.ts';
import { object } from '../../lib/values/primitives.ts';

const endpoint = endpointsOf('Users');

export const approveUserAccessRequest = endpoint({
  route: 'POST /api/admin/user-access-requests/{id}/approve',
  summary: 'Approves the account that a person waits for. The person then signs on again.',
  description:
    '`rootRole` is the role of the new account. `GET /api/admin/user-access-requests` lists the people who wait.',
  permission: 'ADMIN',
  params: accessRequestPath,
  body: object({ rootRole: rootRoleOrId }),
  responses: { 200: user },
  errors: [404, 409],
}).handle(
  ({ request, caller, params, body }) => approveAccessRequest(request, caller, params.id, rootRoleIdOf(body.rootRole)),
  (created) => ({ body: userViewOf(created) }),
);

export const getUserAccessRequests = endpoint({
  route: 'GET /api/admin/user-access-requests',
  summary: 'Lists people who signed on without an account, and wait for one.',
  description: 'A person is added if single sign-on does not create users, but accepts the domain of their address.',
  permission: 'ADMIN',
  responses: { 200: accessRequestList },
}).handle(async ({ request }) => ({
  userAccessRequests: (await accessRequests.list(request)).map(({ id, email, requestedAt }) => ({
    id,
    email,
    requestedAt,
  })),
}));

export const rejectUserAccessRequest = endpoint({
  route: 'DELETE /api/admin/user-access-requests/{id}',
  summary: 'Rejects a person who waits for an account.',
  description: 'If they sign on again, they are listed again.',
  permission: 'ADMIN',
  params: accessRequestPath,
  responses: { 204: null },
}).handle(({ request, caller, params }) => rejectAccessRequest(request, caller, params.id));
