import { endpoint } from '../../lib/http/endpoint.ts';
import { object } from '../../lib/schemas/primitives.ts';
import { emailAddress } from '../../lib/users/user-fields.ts';

export const handler = endpoint({
  method: 'POST',
  path: '/auth/reset/password-email',
  group: 'Auth',
  summary: 'Takes note of nothing: no mail is sent.',
  description:
    'An admin UI asks for a link by mail here. An administrator makes one by `POST /api/admin/user-admin/reset-password` ' +
    'and hands it on. The reply is the same for every address.',
  audience: 'public',
  rights: 'none',
  throttle: { ratePerSecond: 10, burst: 20 },
  body: object({ email: emailAddress }),
  responses: { 200: null },
}).handle(async () => {});
