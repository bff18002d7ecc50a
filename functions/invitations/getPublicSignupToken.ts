import { endpoint } from '../../lib/http/endpoint.ts';
import { showInvitation } from '../../lib/sign-in/invitations.ts';
import { signupToken } from '../../lib/sign-in/signup-token-schema.ts';

export const handler = endpoint({
  route: 'GET /api/admin/invite-link/tokens/{token}',
  group: 'Invitations',
  summary: 'Returns an invitation link, and the users who have signed up by it.',
  permission: 'ADMIN',
  responses: { 200: signupToken },
  etag: true,
}).handle(({ request, params, origin }) => showInvitation(request, params.token, origin));
