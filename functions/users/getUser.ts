import { endpoint } from '../../lib/http/endpoint.ts';
import { idText, object } from '../../lib/schemas/primitives.ts';
import { user } from '../../lib/schemas/user.ts';
import { userView } from '../../lib/users/user-views.ts';
import { users } from '../../lib/users/users.ts';

export const handler = endpoint({
  method: 'GET',
  path: '/api/admin/user-admin/{id}',
  group: 'Users',
  summary: 'Returns a user.',
  permission: 'ADMIN',
  params: object({ id: idText }),
  responses: { 200: user },
  etag: true,
  errors: [404],
}).handle(
  // A sign-in changes what is shown, and not the version.
  async ({ request, params }) => ({ ...(await users.load(request, params.id)), shown: true }),
  (found) => ({ body: userView(found) }),
);
