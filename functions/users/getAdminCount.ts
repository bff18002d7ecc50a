import { endpoint } from '../../lib/http/endpoint.ts';
import { count, object } from '../../lib/schemas/primitives.ts';
import { countAdmins } from '../../lib/users/administer-users.ts';

export const handler = endpoint({
  method: 'GET',
  path: '/api/admin/user-admin/admin-count',
  group: 'Users',
  summary: 'Counts the users who are Admins, by how they sign in; nobody has a password yet.',
  permission: 'ADMIN',
  responses: { 200: object({ password: count, noPassword: count, service: count }) },
}).handle(async ({ table }) => ({ password: 0, noPassword: await countAdmins(table), service: 0 }));
