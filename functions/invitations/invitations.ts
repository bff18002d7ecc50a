import * as v from 'valibot';
import { endpointsOf } from '../../lib/http/endpoint.ts';
import { requirePublicUrl } from '../../lib/http/public-url.ts';
import { userViewOf } from '../../lib/people/account-views.ts';
import { emailAddress, personName, username } from '../../lib/people/user-fields.ts';
import { user } from '../../lib/people/user-schema.ts';
import {
  acceptInvitation,
  invite,
  listInvitations,
  requireOpen,
  showInvitation,
  updateInvitation,
  viewOf,
} from '../../lib/sign-in/invitations.ts';
import { passwordText, signupToken } from '../../lib/sign-in/sign-in-schema.ts';
import { boolean, moment, object, titleOfLength } from '../../lib/values/primitives.ts';

const endpoint = endpointsOf('Invitations');

export const addPublicSignupTokenUser = endpoint({
  route: 'POST /invite/{token}/signup',
  summary: 'Signs a person up with an invitation link, as a Viewer.',
  description:
    'Anyone who has the link can use it until it expires or is disabled; the reply is then 400. It is 409 if the user name or e-mail address is in use, and 429 after too many attempts.',
  audience: 'public',
  throttle: { ratePerSecond: 10, burst: 20 },
  body: object({
    email: emailAddress,
    name: personName,
    password: passwordText,
    username: v.exactOptional(username),
  }),
  responses: { 201: user },
  etag: true,
  errors: [409],
}).handle(
  ({ request, params, body, address }) => acceptInvitation(request, params.token, body, address),
  (added) => ({ body: userViewOf(added) }),
);

export const createPublicSignupToken = endpoint({
  route: 'POST /api/admin/invite-link/tokens',
  summary: 'Creates an invitation link, with which people can sign up as Viewers until it expires.',
  description: 'The reply contains the address to send. There can be at most 100 valid links.',
  permission: 'ADMIN',
  body: object({ name: titleOfLength(255), expiresAt: moment }),
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

export const getAllPublicSignupTokens = endpoint({
  route: 'GET /api/admin/invite-link/tokens',
  summary: 'Lists the invitation links, with the users who signed up with each.',
  description: 'Expired links are included.',
  permission: 'ADMIN',
  agents: 'refused',
  responses: { 200: object({ tokens: v.array(signupToken) }) },
}).handle(async ({ request, origin }) => ({ tokens: await listInvitations(request, origin) }));

export const getPublicSignupToken = endpoint({
  route: 'GET /api/admin/invite-link/tokens/{token}',
  summary: 'Returns an invitation link, and the users who signed up with it.',
  description: 'The path contains the secret of the link. `PUT` with the same path changes its expiry, or disables it.',
  permission: 'ADMIN',
  agents: 'refused',
  responses: { 200: signupToken },
  etag: true,
}).handle(({ request, params, origin }) => showInvitation(request, params.token, origin));

export const updatePublicSignupToken = endpoint({
  route: 'PUT /api/admin/invite-link/tokens/{token}',
  summary: 'Updates the expiry of an invitation link, and whether it is enabled.',
  description: 'The list of all links has the users who signed up with it.',
  permission: 'ADMIN',
  body: object({ expiresAt: v.exactOptional(moment), enabled: v.exactOptional(boolean) }),
  responses: { 200: signupToken },
  etag: true,
  secret: true,
}).handle(
  ({ request, caller, params, body }) => updateInvitation(request, caller, params.token, body),
  (invitation, { origin }) => ({ body: viewOf(invitation, [], origin) }),
);

export const validatePublicSignupToken = endpoint({
  route: 'GET /invite/{token}/validate',
  summary: 'Checks whether an invitation link is valid.',
  description:
    'Pages call it before they ask for a name. The reply is 400 if the link is unknown, expired or disabled.',
  audience: 'public',
  throttle: { ratePerSecond: 20, burst: 40 },
  responses: { 200: null },
  errors: [],
}).handle(async ({ request, params }) => void (await requireOpen(request, params.token)));
