import { endpoint } from '../../lib/http/endpoint.ts';
import { showInvitation } from '../../lib/sign-in/invitations.ts';
import { signupToken } from '../../lib/sign-in/signup-token-schema.ts';

export const handler = endpoint({
  method: 'GET',
  path: '/api/admin/invite-link/tokens/{token}',
  group: 'Invitations',
  summary: 'Returns a link by which people add themselves, and who came by it.',
  permission: 'ADMIN',
  responses: { 200: signupToken },
  etag: true,
  errors: [404],
}).handle(({ request, params, origin }) => showInvitation(request, params.token, origin));
