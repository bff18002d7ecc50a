import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { accessOfRole } from '../../lib/rights/role-access.ts';
import { object } from '../../lib/schemas/primitives.ts';
import { roleAccess, rolePath } from '../../lib/schemas/role.ts';

export const handler = endpoint({
  method: 'GET',
  path: '/api/admin/projects/roles/{id}/access',
  group: 'Roles',
  summary: 'Lists the projects where a role is granted, and how many have it.',
  permission: ['ADMIN', 'READ_ROLE'],
  params: rolePath,
  responses: { 200: object({ projects: v.array(roleAccess) }) },
  errors: [404],
}).handle(async ({ request, params }) => ({ projects: await accessOfRole(request, params.id) }));
