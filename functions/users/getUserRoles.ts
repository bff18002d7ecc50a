import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { object, text } from '../../lib/schemas/primitives.ts';
import { role } from '../../lib/schemas/role.ts';
import { rolesOf } from '../../lib/users/profile.ts';

export const handler = endpoint({
  method: 'GET',
  path: '/api/admin/user/roles',
  group: 'Users',
  summary: 'Lists the roles of the caller: the one that holds everywhere, and that in a project.',
  permission: 'NONE',
  query: object({ projectId: v.exactOptional(text) }),
  responses: { 200: object({ version: v.literal(1), roles: v.array(role) }) },
}).handle(async ({ request, caller, query }) => ({
  version: 1,
  roles: await rolesOf(request, caller, query.projectId),
}));
