import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { createRole } from '../../lib/people/roles/administer-roles.ts';
import { role, roleInput } from '../../lib/people/roles/role-schema.ts';
import { roleView } from '../../lib/people/roles/roles.ts';
import { object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'POST /api/admin/roles',
  group: 'Roles',
  summary: 'Creates a role: `root-custom` holds everywhere, `custom` in the projects where it is granted.',
  description:
    'Permissions are named, as `GET /api/admin/permissions` lists them, or given by their ids. A permission of ' +
    'environments holds in the one that it names, or in all. A root role may hold permissions of projects, too: in all ' +
    'projects.',
  permission: 'ADMIN',
  body: roleInput,
  responses: { 200: object({ version: v.literal(1), roles: role }) },
  etag: true,
  errors: [409],
}).handle(
  ({ request, caller, body }) => createRole(request, caller, body),
  (created) => ({ body: { version: 1, roles: roleView(created) } }),
);
