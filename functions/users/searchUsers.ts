import * as v from 'valibot';
import { searchText } from '../../lib/features/search/filter-schema.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { searchUsers } from '../../lib/people/administer-users.ts';
import { user } from '../../lib/people/user-schema.ts';
import { userView } from '../../lib/people/user-views.ts';
import { object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'GET /api/admin/user-admin/search',
  group: 'Users',
  summary: 'Finds users by the first two or more characters of their user name, name or e-mail address.',
  permission: 'ADMIN',
  query: object({ q: v.optional(searchText, '') }),
  responses: { 200: v.array(user) },
}).handle(async ({ request, query }) => (await searchUsers(request, query.q)).map(userView));
