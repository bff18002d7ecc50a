import { endpoint } from '../../lib/http/endpoint.ts';
import { requirePublicUrl } from '../../lib/http/public-url.ts';
import { invite, viewOf } from '../../lib/sign-in/invitations.ts';
import { signupToken } from '../../lib/sign-in/signup-token-schema.ts';
import { moment, object, textOfLength } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'POST /api/admin/invite-link/tokens',
  group: 'Invitations',
  summary: 'Creates an invitation link, by which people can sign up as Viewers until it expires.',
  permission: 'ADMIN',
  body: object({ name: textOfLength(1, 255), expiresAt: moment }),
  responses: { 201: signupToken },
  etag: true,
  secret: true,
}).handle(
  ({ request, caller, origin, body }) => {
    requirePublicUrl(origin);
    return invite(request, caller, body);
  },
  (invitation, { origin }) => ({
    headers: { location: `/api/admin/invite-link/tokens/${invitation.secret}` },
    body: viewOf(invitation, [], origin),
  }),
);
