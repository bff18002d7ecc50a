import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { role } from '../../lib/people/roles/role-schema.ts';
import { isRootRole, listRoles } from '../../lib/people/roles/roles.ts';
import { user } from '../../lib/people/user-schema.ts';
import { userView } from '../../lib/people/user-views.ts';
import { users } from '../../lib/people/users.ts';
import { object, text } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'GET /api/admin/user-admin',
  group: 'Users',
  summary: 'Lists all users, and the roles that they can have.',
  permission: 'ADMIN',
  responses: {
    200: object({ users: v.array(object({ ...user.entries, inviteLink: text })), rootRoles: v.array(role) }),
  },
}).handle(async ({ request }) => {
  const [all, roles] = await Promise.all([users.list(request), listRoles(request)]);
  return {
    // Of the links that were sent only hashes are kept.
    users: all.map((user) => ({ ...userView(user), inviteLink: '' })),
    rootRoles: roles.filter(isRootRole),
  };
});
