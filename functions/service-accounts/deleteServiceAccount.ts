import { endpoint } from '../../lib/http/endpoint.ts';
import { deleteServiceAccount } from '../../lib/people/administer-service-accounts.ts';
import { serviceAccountPath } from '../../lib/people/service-account-schema.ts';

export const handler = endpoint({
  route: 'DELETE /api/admin/service-account/{id}',
  group: 'Service accounts',
  summary: 'Deletes a service account with its tokens.',
  permission: 'ADMIN',
  params: serviceAccountPath,
  responses: { 200: null },
  etag: 'checked',
}).handle(({ request, caller, params }) => deleteServiceAccount(request, caller, params.id));
