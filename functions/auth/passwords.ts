import * as v from 'valibot';
import { endpointsOf } from '../../lib/http/endpoint.ts';
import { requirePublicUrl } from '../../lib/http/public-url.ts';
import { loadRoles } from '../../lib/identity/roles.ts';
import { role } from '../../lib/people/roles/role-schema.ts';
import { emailAddress } from '../../lib/people/user-fields.ts';
import { choosePassword, userOfLink } from '../../lib/sign-in/passwords/links.ts';
import { mailForgotten } from '../../lib/sign-in/passwords/mails.ts';
import { assertStrong } from '../../lib/sign-in/passwords/password-rules.ts';
import { passwordText } from '../../lib/sign-in/sign-in-schema.ts';
import { integer, object, text } from '../../lib/values/primitives.ts';

const endpoint = endpointsOf('Auth');

export const changePassword = endpoint({
  route: 'POST /auth/reset/password',
  summary: 'Sets the password that a user has chosen by a reset link; their sessions end.',
  description:
    'The link can be used once. A 401 means that it was used before, has expired or is unknown; a 400 names every rule that the password breaks.',
  audience: 'public',
  throttle: { ratePerSecond: 10, burst: 20 },
  body: object({ token: text, password: passwordText }),
  responses: { 200: null },
  errors: [401, 404],
}).handle(({ request, body, address }) => choosePassword(request, body.token, body.password, address));

export const sendResetPasswordEmail = endpoint({
  route: 'POST /auth/reset/password-email',
  summary: 'Mails a password reset link to a user.',
  description:
    'It does so where a sender of mails is configured; otherwise an administrator makes the link by ' +
    '`POST /api/admin/user-admin/reset-password` and hands it on. The reply is the same for every address. At most three ' +
    'mails an hour are sent to an address.',
  audience: 'public',
  rights: 'count',
  sendsMail: true,
  throttle: { ratePerSecond: 10, burst: 20 },
  body: object({ email: emailAddress }),
  responses: { 200: null },
}).handle(({ request, body, address, origin }) =>
  mailForgotten(request, body.email, { address, origin: requirePublicUrl(origin) }),
);

export const validatePassword = endpoint({
  route: 'POST /auth/reset/validate-password',
  summary: 'Checks whether a password follows the rules.',
  description: 'It names every rule that the password breaks.',
  audience: 'public',
  rights: 'none',
  throttle: { ratePerSecond: 20, burst: 40 },
  body: object({ password: passwordText }),
  responses: { 200: null },
}).handle(async ({ body }) => assertStrong(body.password));

export const validateToken = endpoint({
  route: 'GET /auth/reset/validate',
  summary: 'Returns the user whom a reset link belongs to.',
  description:
    'A page calls it before it asks for a new password. A 401 means that the link was used, has expired or is unknown.',
  audience: 'public',
  throttle: { ratePerSecond: 20, burst: 40 },
  query: object({ token: text }),
  responses: {
    200: object({
      id: integer,
      name: v.exactOptional(text),
      email: text,
      token: text,
      createdBy: v.nullable(text),
      role: v.exactOptional(role),
    }),
  },
  errors: [401],
}).handle(async ({ request, query: { token } }) => {
  const { id, name, email, username, rootRole } = await userOfLink(request, token);
  const [role] = await loadRoles(request, [rootRole]);
  return {
    id,
    ...(name && { name }),
    // What they sign in with, where they have no address.
    email: email ?? username ?? '',
    token,
    createdBy: null,
    ...(role && { role }),
  };
});
