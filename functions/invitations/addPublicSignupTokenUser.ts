import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { passwordText } from '../../lib/schemas/password.ts';
import { object, textOfLength } from '../../lib/schemas/primitives.ts';
import { user } from '../../lib/schemas/user.ts';
import { acceptInvitation } from '../../lib/sign-in/invitations.ts';
import { emailAddress, username } from '../../lib/users/user-fields.ts';
import { userView } from '../../lib/users/user-views.ts';

export const handler = endpoint({
  method: 'POST',
  path: '/invite/{token}/signup',
  group: 'Invitations',
  summary: 'Adds a user who comes by a link, as a Viewer.',
  audience: 'public',
  throttle: { ratePerSecond: 10, burst: 20 },
  body: object({
    email: emailAddress,
    name: textOfLength(0, 255),
    password: passwordText,
    username: v.exactOptional(username),
  }),
  responses: { 201: user },
  etag: true,
  errors: [409],
}).handle(
  ({ request, params, body }) => acceptInvitation(request, params.token, body),
  (added) => ({ body: userView(added) }),
);
