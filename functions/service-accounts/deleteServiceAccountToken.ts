import { endpoint } from '../../lib/http/endpoint.ts';
import { serviceAccountTokenPath } from '../../lib/people/service-account-schema.ts';
import { serviceAccounts } from '../../lib/people/users.ts';
import { deletePatOf } from '../../lib/tokens/personal-tokens.ts';

export const handler = endpoint({
  route: 'DELETE /api/admin/service-account/{id}/token/{tokenId}',
  group: 'Service accounts',
  summary: 'Deletes a token of a service account.',
  permission: 'ADMIN',
  params: serviceAccountTokenPath,
  responses: { 200: null },
}).handle(({ request, caller, params }) => deletePatOf(request, caller, serviceAccounts, params.id, params.tokenId));
