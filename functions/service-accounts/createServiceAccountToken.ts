import { endpoint } from '../../lib/http/endpoint.ts';
import { serviceAccountPath } from '../../lib/people/service-account-schema.ts';
import { pat, patDescription } from '../../lib/people/user-schema.ts';
import { serviceAccounts } from '../../lib/people/users.ts';
import { createPatOf } from '../../lib/tokens/personal-tokens.ts';
import { moment, object, text } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'POST /api/admin/service-account/{id}/token',
  group: 'Service accounts',
  summary: 'Creates a token that acts as a service account.',
  description: 'The secret is shown in this reply only.',
  permission: 'ADMIN',
  params: serviceAccountPath,
  body: object({ description: patDescription, expiresAt: moment }),
  responses: { 201: object({ ...pat.entries, secret: text }) },
  secret: true,
  errors: [404, 409],
}).handle(({ request, caller, params, body }) => createPatOf(request, caller, serviceAccounts, params.id, body));
