import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { listInvitations } from '../../lib/sign-in/invitations.ts';
import { signupToken } from '../../lib/sign-in/signup-token-schema.ts';
import { object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'GET /api/admin/invite-link/tokens',
  group: 'Invitations',
  summary: 'Lists the invitation links, and the users who have signed up by each.',
  permission: 'ADMIN',
  responses: { 200: object({ tokens: v.array(signupToken) }) },
}).handle(async ({ request, origin }) => ({ tokens: await listInvitations(request, origin) }));
