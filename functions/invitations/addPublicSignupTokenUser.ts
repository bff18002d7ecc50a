import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { emailAddress, username } from '../../lib/people/user-fields.ts';
import { user } from '../../lib/people/user-schema.ts';
import { userView } from '../../lib/people/user-views.ts';
import { acceptInvitation } from '../../lib/sign-in/invitations.ts';
import { passwordText } from '../../lib/sign-in/passwords/password-schema.ts';
import { object, textOfLength } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'POST /invite/{token}/signup',
  group: 'Invitations',
  summary: 'Signs a person up by an invitation link, as a Viewer.',
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
