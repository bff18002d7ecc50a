import { endpoint } from '../../lib/http/endpoint.ts';
import { deleteRole } from '../../lib/people/roles/administer-roles.ts';
import { rolePath } from '../../lib/people/roles/role-schema.ts';

export const handler = endpoint({
  route: 'DELETE /api/admin/roles/{id}',
  group: 'Roles',
  summary: 'Deletes a custom role that nobody has.',
  permission: 'ADMIN',
  params: rolePath,
  responses: { 200: null },
  etag: 'checked',
  errors: [404, 409],
}).handle(({ request, caller, params }) => deleteRole(request, caller, params.id));
