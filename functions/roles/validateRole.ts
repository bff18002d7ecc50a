import { endpoint } from '../../lib/http/endpoint.ts';
import { validateRole } from '../../lib/people/roles/administer-roles.ts';
import { roleInput } from '../../lib/people/roles/role-schema.ts';

export const handler = endpoint({
  route: 'POST /api/admin/roles/validate',
  group: 'Roles',
  summary: 'Checks whether a role can be created.',
  permission: 'ADMIN',
  body: roleInput,
  rights: 'read',
  responses: { 200: null },
  errors: [409],
}).handle(({ request, body }) => validateRole(request, body));
