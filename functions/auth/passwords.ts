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
  summary: 'Sets the password of a user with a reset link, and ends their sessions.',
  description:
    'The link works once. The reply is 401 if it was used, has expired or is unknown, and 403 if a directory manages the user by SCIM. It is 400, and names every broken rule, if the password breaks the rules.',
  audience: 'public',
  throttle: { ratePerSecond: 10, burst: 20 },
  body: object({ token: text, password: passwordText }),
  responses: { 200: null },
  errors: [401, 403, 404],
}).handle(({ request, body, address }) => choosePassword(request, body.token, body.password, address));

export const sendResetPasswordEmail = endpoint({
  route: 'POST /auth/reset/password-email',
  summary: 'Sends a password reset link to a user by mail.',
  description:
    'If the service cannot send mails, an administrator has to create the link with `POST /api/admin/user-admin/reset-password` and pass it on. The reply is the same for every address. An address gets at most three mails an hour.',
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
  description: 'The reply names every broken rule.',
  audience: 'public',
  rights: 'none',
  throttle: { ratePerSecond: 20, burst: 40 },
  body: object({ password: passwordText }),
  responses: { 200: null },
}).handle(async ({ body }) => assertStrong(body.password));

export const validateToken = endpoint({
  route: 'GET /auth/reset/validate',
  summary: 'Returns the user of a password reset link.',
  description:
    'Pages call it before they ask for a new password. The reply is 401 if the link was used, has expired or is unknown, and 403 if a directory manages the user by SCIM.',
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
  errors: [401, 403],
}).handle(async ({ request, query: { token } }) => {
  const { id, name, email, username, rootRole } = await userOfLink(request, token);
  const [role] = await loadRoles(request, [rootRole]);
  return {
    id,
    ...(name && { name }),
    // Users without an e-mail address sign in with their user name.
    email: email ?? username ?? '',
    token,
    createdBy: null,
    ...(role && { role }),
  };
});
