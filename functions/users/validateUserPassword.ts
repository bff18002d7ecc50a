import { endpoint } from '../../lib/http/endpoint.ts';
import { assertStrong } from '../../lib/sign-in/passwords/password-rules.ts';
import { newPassword } from '../../lib/sign-in/passwords/password-schema.ts';

export const handler = endpoint({
  route: 'POST /api/admin/user-admin/validate-password',
  group: 'Users',
  summary: 'Checks whether a password follows the rules.',
  description: 'It names every rule that the password breaks.',
  rights: 'none',
  body: newPassword,
  responses: { 200: null },
}).handle(async ({ body }) => assertStrong(body.password));
