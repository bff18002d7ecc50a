import { endpoint } from '../../lib/http/endpoint.ts';
import { user } from '../../lib/people/user-schema.ts';
import { userView } from '../../lib/people/user-views.ts';
import { users } from '../../lib/people/users.ts';
import { idText, object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'GET /api/admin/user-admin/{id}',
  group: 'Users',
  summary: 'Returns a user.',
  permission: 'ADMIN',
  params: object({ id: idText }),
  responses: { 200: user },
  etag: true,
}).handle(
  // A sign-in changes what is shown, and not the version.
  async ({ request, params }) => ({ ...(await users.load(request, params.id)), shown: true }),
  (found) => ({ body: userView(found) }),
);
