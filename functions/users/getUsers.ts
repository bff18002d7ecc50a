import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { object, text } from '../../lib/schemas/primitives.ts';
import { role } from '../../lib/schemas/role.ts';
import { user } from '../../lib/schemas/user.ts';
import { isRootRole, listRoles } from '../../lib/users/role-views.ts';
import { userView } from '../../lib/users/user-views.ts';
import { users } from '../../lib/users/users.ts';

export const handler = endpoint({
  method: 'GET',
  path: '/api/admin/user-admin',
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
