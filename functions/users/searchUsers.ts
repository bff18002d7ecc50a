import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { searchText } from '../../lib/schemas/filter.ts';
import { object } from '../../lib/schemas/primitives.ts';
import { user } from '../../lib/schemas/user.ts';
import { searchUsers } from '../../lib/users/administer-users.ts';
import { userView } from '../../lib/users/user-views.ts';

export const handler = endpoint({
  method: 'GET',
  path: '/api/admin/user-admin/search',
  group: 'Users',
  summary: 'Finds users by the beginning of their user name, name or e-mail address, of two characters or more.',
  permission: 'ADMIN',
  query: object({ q: v.optional(searchText, '') }),
  responses: { 200: v.array(user) },
}).handle(async ({ request, query }) => (await searchUsers(request, query.q)).map(userView));
