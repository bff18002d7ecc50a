import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { updateInvitation, viewOf } from '../../lib/sign-in/invitations.ts';
import { signupToken } from '../../lib/sign-in/signup-token-schema.ts';
import { boolean, moment, object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  method: 'PUT',
  path: '/api/admin/invite-link/tokens/{token}',
  group: 'Invitations',
  summary: 'Changes when a link expires by which people add themselves, or whether it is good at all.',
  description: 'Who came by it is in the list of all.',
  permission: 'ADMIN',
  body: object({ expiresAt: v.exactOptional(moment), enabled: v.exactOptional(boolean) }),
  responses: { 200: signupToken },
  etag: true,
  secret: true,
  errors: [404],
}).handle(
  ({ request, caller, params, body }) => updateInvitation(request, caller, params.token, body),
  (invitation, { origin }) => ({ body: viewOf(invitation, [], origin) }),
);
