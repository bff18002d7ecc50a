import { endpoint } from '../../lib/http/endpoint.ts';
import { countAdmins } from '../../lib/sign-in/count-admins.ts';
import { count, object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'GET /api/admin/user-admin/admin-count',
  group: 'Users',
  summary: 'Counts the users who are Admins, by whether they have a password.',
  permission: 'ADMIN',
  responses: { 200: object({ password: count, noPassword: count, service: count }) },
}).handle(({ request }) => countAdmins(request));
