import { endpoint } from '../../lib/http/endpoint.ts';
import { moment, object, text } from '../../lib/schemas/primitives.ts';
import { serviceAccountPath } from '../../lib/schemas/service-account.ts';
import { pat, patDescription } from '../../lib/schemas/user.ts';
import { createPatOf } from '../../lib/users/personal-tokens.ts';
import { serviceAccounts } from '../../lib/users/service-accounts.ts';

export const handler = endpoint({
  method: 'POST',
  path: '/api/admin/service-account/{id}/token',
  group: 'Service accounts',
  summary: 'Creates a token that acts as a service account.',
  description: 'Its secret is in this reply and nowhere else.',
  permission: 'ADMIN',
  params: serviceAccountPath,
  body: object({ description: patDescription, expiresAt: moment }),
  responses: { 201: object({ ...pat.entries, secret: text }) },
  secret: true,
  errors: [404, 409],
}).handle(({ request, caller, params, body }) => createPatOf(request, caller, serviceAccounts, params.id, body));
