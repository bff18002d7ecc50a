import { endpoint } from '../../lib/http/endpoint.ts';
import { choosePassword } from '../../lib/sign-in/passwords/links.ts';
import { passwordText } from '../../lib/sign-in/sign-in-schema.ts';
import { object, text } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'POST /auth/reset/password',
  group: 'Auth',
  summary: 'Sets the password that a user has chosen by a reset link; their sessions end.',
  audience: 'public',
  throttle: { ratePerSecond: 10, burst: 20 },
  body: object({ token: text, password: passwordText }),
  responses: { 200: null },
  errors: [401, 404],
}).handle(({ request, body }) => choosePassword(request, body.token, body.password));
