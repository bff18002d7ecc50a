import { endpoint } from '../../lib/http/endpoint.ts';
import { assertStrong } from '../../lib/sign-in/passwords/password-rules.ts';
import { passwordText } from '../../lib/sign-in/sign-in-schema.ts';
import { object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'POST /auth/reset/validate-password',
  group: 'Auth',
  summary: 'Checks whether a password follows the rules.',
  description: 'It names every rule that the password breaks.',
  audience: 'public',
  rights: 'none',
  throttle: { ratePerSecond: 20, burst: 40 },
  body: object({ password: passwordText }),
  responses: { 200: null },
}).handle(async ({ body }) => assertStrong(body.password));
