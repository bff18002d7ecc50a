import { endpoint } from '../../lib/http/endpoint.ts';
import { accessRequestPath } from '../../lib/sign-in/access-request-schema.ts';
import { rejectAccessRequest } from '../../lib/sign-in/access-requests.ts';

export const handler = endpoint({
  route: 'DELETE /api/admin/user-access-requests/{id}',
  group: 'Users',
  summary: 'Leaves somebody without the account that they wait for.',
  description: 'They are on the list again once they sign on again.',
  permission: 'ADMIN',
  params: accessRequestPath,
  responses: { 204: null },
}).handle(({ request, caller, params }) => rejectAccessRequest(request, caller, params.id));
