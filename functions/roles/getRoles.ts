import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { role } from '../../lib/people/roles/role-schema.ts';
import { listRoles } from '../../lib/people/roles/roles.ts';
import { object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'GET /api/admin/roles',
  group: 'Roles',
  summary: 'Lists all roles, built-in and custom.',
  permission: ['ADMIN', 'READ_ROLE'],
  responses: { 200: object({ version: v.literal(1), roles: v.array(role) }) },
}).handle(async ({ request }) => ({ version: 1, roles: await listRoles(request) }));
