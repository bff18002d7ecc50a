import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { serviceAccountView, updateServiceAccount } from '../../lib/people/administer-service-accounts.ts';
import { serviceAccount, serviceAccountName, serviceAccountPath } from '../../lib/people/service-account-schema.ts';
import { id, object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'PUT /api/admin/service-account/{id}',
  group: 'Service accounts',
  summary:
    'Updates the name and the role of a service account. Omitted fields stay as they are; the reply does not list its tokens.',
  permission: 'ADMIN',
  params: serviceAccountPath,
  body: object({ name: v.exactOptional(serviceAccountName), rootRole: v.exactOptional(id) }),
  responses: { 200: serviceAccount },
  etag: true,
}).handle(
  ({ request, caller, params, body }) => updateServiceAccount(request, caller, params.id, body),
  (updated) => ({ body: serviceAccountView(updated) }),
);
