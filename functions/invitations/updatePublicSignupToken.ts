import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { updateInvitation, viewOf } from '../../lib/sign-in/invitations.ts';
import { signupToken } from '../../lib/sign-in/signup-token-schema.ts';
import { boolean, moment, object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'PUT /api/admin/invite-link/tokens/{token}',
  group: 'Invitations',
  summary: 'Updates an invitation link: its expiry, and whether it can be used.',
  description: 'The list of all links shows the users who have signed up by it.',
  permission: 'ADMIN',
  body: object({ expiresAt: v.exactOptional(moment), enabled: v.exactOptional(boolean) }),
  responses: { 200: signupToken },
  etag: true,
  secret: true,
}).handle(
  ({ request, caller, params, body }) => updateInvitation(request, caller, params.token, body),
  (invitation, { origin }) => ({ body: viewOf(invitation, [], origin) }),
);
