import { endpoint } from '../../lib/http/endpoint.ts';
import { findRole } from '../../lib/rights/administer-roles.ts';
import { rolePath, roleWithPermissions } from '../../lib/schemas/role.ts';

export const handler = endpoint({
  method: 'GET',
  path: '/api/admin/roles/{id}',
  group: 'Roles',
  summary: 'Returns a role with its permissions.',
  description: 'A permission of environments without an environment holds in all of them.',
  permission: ['ADMIN', 'READ_ROLE'],
  params: rolePath,
  responses: { 200: roleWithPermissions },
  etag: true,
  errors: [404],
}).handle(({ table, params }) => findRole(table, params.id));
