import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { accessOfRole } from '../../lib/people/roles/role-access.ts';
import { roleAccess, rolePath } from '../../lib/people/roles/role-schema.ts';
import { object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'GET /api/admin/projects/roles/{id}/access',
  group: 'Roles',
  summary: 'Lists the projects where a role is granted, and the number of its holders.',
  permission: ['ADMIN', 'READ_ROLE'],
  params: rolePath,
  responses: { 200: object({ projects: v.array(roleAccess) }) },
}).handle(async ({ request, params }) => ({ projects: await accessOfRole(request, params.id) }));
