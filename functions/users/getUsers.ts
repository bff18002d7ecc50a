import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { object } from '../../lib/schemas/primitives.ts';
import { role, user } from '../../lib/schemas/user.ts';
import { rootRoleViews, userView } from '../../lib/users/user-views.ts';
import { users } from '../../lib/users/users.ts';

export const handler = endpoint({
  method: 'GET',
  path: '/api/admin/user-admin',
  group: 'Users',
  summary: 'Lists all users, and the roles that they can have.',
  permission: 'ADMIN',
  responses: { 200: object({ users: v.array(user), rootRoles: v.array(role) }) },
}).handle(async ({ table }) => ({ users: (await users.list(table)).map(userView), rootRoles: rootRoleViews }));
