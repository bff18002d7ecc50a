import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { assertConfirmed } from '../../lib/sign-in/passwords/confirmed.ts';
import { passwordText } from '../../lib/sign-in/passwords/password-schema.ts';
import { changeOwnPassword } from '../../lib/sign-in/passwords/passwords.ts';
import { object, text } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'POST /api/admin/user/change-password',
  group: 'Users',
  summary: 'Sets the password of the caller; their other sessions end.',
  permission: 'NONE',
  throttle: { ratePerSecond: 10, burst: 20 },
  body: object({ password: passwordText, oldPassword: passwordText, confirmPassword: v.exactOptional(text) }),
  responses: { 200: null },
}).handle(async ({ request, caller, body, address, session }) => {
  assertConfirmed(body);
  await changeOwnPassword(request, caller, body, { address, session });
});
