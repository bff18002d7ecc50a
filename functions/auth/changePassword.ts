import { endpoint } from '../../lib/http/endpoint.ts';
import { choosePassword } from '../../lib/sign-in/passwords/links.ts';
import { passwordText } from '../../lib/sign-in/passwords/password-schema.ts';
import { object, text } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  method: 'POST',
  path: '/auth/reset/password',
  group: 'Auth',
  summary: 'Gives a user the password that they have chosen by a link; their sessions end.',
  audience: 'public',
  throttle: { ratePerSecond: 10, burst: 20 },
  body: object({ token: text, password: passwordText }),
  responses: { 200: null },
  errors: [401, 404],
}).handle(({ request, body }) => choosePassword(request, body.token, body.password));
