import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { rolesOf } from '../../lib/people/profile.ts';
import { role } from '../../lib/people/roles/role-schema.ts';
import { object, text } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'GET /api/admin/user/roles',
  group: 'Users',
  summary: 'Lists the roles of the caller: their root role, and their role in a project.',
  permission: 'NONE',
  query: object({ projectId: v.exactOptional(text) }),
  responses: { 200: object({ version: v.literal(1), roles: v.array(role) }) },
}).handle(async ({ request, caller, query }) => ({
  version: 1,
  roles: await rolesOf(request, caller, query.projectId),
}));
