import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { someRoles } from '../../lib/identity/roles.ts';
import { role } from '../../lib/people/roles/role-schema.ts';
import { userOfLink } from '../../lib/sign-in/passwords/links.ts';
import { integer, object, text } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'GET /auth/reset/validate',
  group: 'Auth',
  summary: 'Returns the user whom a reset link belongs to.',
  audience: 'public',
  throttle: { ratePerSecond: 20, burst: 40 },
  query: object({ token: text }),
  responses: {
    200: object({
      id: integer,
      name: v.exactOptional(text),
      email: text,
      token: text,
      createdBy: v.null(),
      role: v.exactOptional(role),
    }),
  },
  errors: [401],
}).handle(async ({ request, query: { token } }) => {
  const { id, name, email, username, rootRole } = await userOfLink(request, token);
  const [role] = await someRoles(request, [rootRole]);
  return {
    id,
    ...(name && { name }),
    // What they sign in with, where they have no address.
    email: email ?? username ?? '',
    token,
    createdBy: null,
    ...(role && { role }),
  };
});
