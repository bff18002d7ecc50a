import { endpoint } from '../../lib/http/endpoint.ts';
import { createServiceAccount, serviceAccountView } from '../../lib/people/administer-service-accounts.ts';
import { serviceAccount, serviceAccountName } from '../../lib/people/service-account-schema.ts';
import { username } from '../../lib/people/user-fields.ts';
import { id, object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'POST /api/admin/service-account',
  group: 'Service accounts',
  summary: 'Creates a service account: a program that administers flags with tokens of its own, and cannot sign in.',
  permission: 'ADMIN',
  body: object({ username, name: serviceAccountName, rootRole: id }),
  responses: { 201: serviceAccount },
  etag: true,
  errors: [409],
}).handle(
  ({ request, caller, body }) => createServiceAccount(request, caller, body),
  (created) => ({
    headers: { location: `/api/admin/service-account/${created.id}` },
    body: serviceAccountView(created),
  }),
);
