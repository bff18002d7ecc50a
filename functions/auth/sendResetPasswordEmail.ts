import { endpoint } from '../../lib/http/endpoint.ts';
import { requirePublicUrl } from '../../lib/http/public-url.ts';
import { emailAddress } from '../../lib/people/user-fields.ts';
import { mailForgotten } from '../../lib/sign-in/passwords/mails.ts';
import { object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'POST /auth/reset/password-email',
  group: 'Auth',
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
