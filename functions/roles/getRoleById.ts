import { endpoint } from '../../lib/http/endpoint.ts';
import { showRole } from '../../lib/people/roles/administer-roles.ts';
import { rolePath, roleWithPermissions } from '../../lib/people/roles/role-schema.ts';

export const handler = endpoint({
  route: 'GET /api/admin/roles/{id}',
  group: 'Roles',
  summary: 'Returns a role with its permissions.',
  description:
    'A permission of environments without an environment holds in all of them. Everybody reads their own root role, which the ' +
    'page of their profile shows.',
  permission: ['ADMIN', 'READ_ROLE'],
  permissionBy: 'store',
  params: rolePath,
  responses: { 200: roleWithPermissions },
  etag: true,
}).handle(({ request, caller, params }) => showRole(request, caller, params.id));
