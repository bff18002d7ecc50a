import { endpoint } from '../../lib/http/endpoint.ts';
import { deleteServiceAccount } from '../../lib/rights/administer-service-accounts.ts';
import { serviceAccountPath } from '../../lib/schemas/service-account.ts';

export const handler = endpoint({
  method: 'DELETE',
  path: '/api/admin/service-account/{id}',
  group: 'Service accounts',
  summary: 'Deletes a service account with its tokens.',
  permission: 'ADMIN',
  params: serviceAccountPath,
  responses: { 200: null },
  etag: 'checked',
  errors: [404],
}).handle(({ request, caller, params }) => deleteServiceAccount(request, caller, params.id));
