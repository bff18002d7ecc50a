import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { updateRole } from '../../lib/people/roles/administer-roles.ts';
import { role, roleInput, rolePath } from '../../lib/people/roles/role-schema.ts';
import { roleView } from '../../lib/people/roles/roles.ts';
import { object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'PUT /api/admin/roles/{id}',
  group: 'Roles',
  summary: 'Updates a custom role: its name, description and permissions.',
  description: 'Omitted fields stay as they are. All holders of the role get its new permissions within five seconds.',
  permission: 'ADMIN',
  params: rolePath,
  body: roleInput,
  responses: { 200: object({ version: v.literal(1), roles: role }) },
  etag: true,
  errors: [404, 409],
}).handle(
  ({ request, caller, params, body }) => updateRole(request, caller, params.id, body),
  (updated) => ({ body: { version: 1, roles: roleView(updated) } }),
);
