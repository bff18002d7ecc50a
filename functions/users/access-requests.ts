import { endpointsOf } from '../../lib/http/endpoint.ts';
import { namedRootRole, rootRoleId } from '../../lib/people/user-fields.ts';
import { user } from '../../lib/people/user-schema.ts';
import { userView } from '../../lib/people/user-views.ts';
import { approveAccessRequest, rejectAccessRequest } from '../../lib/sign-in/access-requests.ts';
import { accessRequestPath } from '../../lib/sign-in/sign-in-schema.ts';
import { object } from '../../lib/values/primitives.ts';

const endpoint = endpointsOf('Users');

export const approveUserAccessRequest = endpoint({
  route: 'POST /api/admin/user-access-requests/{id}/approve',
  summary: 'Gives somebody the account that they wait for: they sign on again.',
  permission: 'ADMIN',
  params: accessRequestPath,
  body: object({ rootRole: namedRootRole }),
  responses: { 200: user },
  errors: [404, 409],
}).handle(
  ({ request, caller, params, body }) => approveAccessRequest(request, caller, params.id, rootRoleId(body.rootRole)),
  (created) => ({ body: userView(created) }),
);

export const rejectUserAccessRequest = endpoint({
  route: 'DELETE /api/admin/user-access-requests/{id}',
  summary: 'Leaves somebody without the account that they wait for.',
  description: 'They are on the list again once they sign on again.',
  permission: 'ADMIN',
  params: accessRequestPath,
  responses: { 204: null },
}).handle(({ request, caller, params }) => rejectAccessRequest(request, caller, params.id));
