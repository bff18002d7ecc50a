import { endpoint } from '../../lib/http/endpoint.ts';
import { serviceAccountTokenPath } from '../../lib/schemas/service-account.ts';
import { deletePatOf } from '../../lib/users/personal-tokens.ts';
import { serviceAccounts } from '../../lib/users/service-accounts.ts';

export const handler = endpoint({
  method: 'DELETE',
  path: '/api/admin/service-account/{id}/token/{tokenId}',
  group: 'Service accounts',
  summary: 'Deletes a token of a service account.',
  permission: 'ADMIN',
  params: serviceAccountTokenPath,
  responses: { 200: null },
  errors: [404],
}).handle(({ request, caller, params }) => deletePatOf(request, caller, serviceAccounts, params.id, params.tokenId));
