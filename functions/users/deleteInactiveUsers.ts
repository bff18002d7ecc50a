import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { deleteUsers } from '../../lib/sign-in/inactive-users.ts';
import { id, object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'POST /api/admin/user-admin/inactive/delete',
  group: 'Users',
  summary: 'Deletes users with their tokens and sessions; not the last Admin.',
  description: 'Users who no longer exist are skipped, and so is the caller.',
  permission: 'ADMIN',
  body: object({ ids: v.pipe(v.array(id), v.maxLength(100)) }),
  responses: { 200: null },
}).handle(({ request, caller, body }) => deleteUsers(request, caller, body.ids));
