import { endpoint } from '../../lib/http/endpoint.ts';
import { assertConfirmed } from '../../lib/sign-in/passwords/confirmed.ts';
import { newPassword } from '../../lib/sign-in/passwords/password-schema.ts';
import { setPassword } from '../../lib/sign-in/passwords/passwords.ts';
import { idText, object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'POST /api/admin/user-admin/{id}/change-password',
  group: 'Users',
  summary: 'Sets the password of a user; all their sessions except that of the caller end.',
  permission: 'ADMIN',
  params: object({ id: idText }),
  body: newPassword,
  responses: { 200: null },
}).handle(async ({ request, caller, params, body, session }) => {
  assertConfirmed(body);
  await setPassword(request, caller, params.id, body.password, { kept: session });
});
