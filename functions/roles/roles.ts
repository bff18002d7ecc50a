import * as v from 'valibot';
import { endpointsOf } from '../../lib/http/endpoint.ts';
import { listRoles, roleViewOf } from '../../lib/identity/roles.ts';
import * as lib from '../../lib/people/roles/administer-roles.ts';
import { countRoleAccess } from '../../lib/people/roles/role-access.ts';
import {
  permission,
  role,
  roleAccess,
  roleInput,
  rolePath,
  roleUpdate,
  roleWithPermissions,
} from '../../lib/people/roles/role-schema.ts';
import { name, object } from '../../lib/values/primitives.ts';

const endpoint = endpointsOf('Roles');

export const createRole = endpoint({
  route: 'POST /api/admin/roles',
  summary: 'Creates a role: `root-custom` applies everywhere, `custom` in the projects where it is granted.',
  description:
    'Permissions are given by name, as in `GET /api/admin/permissions`, or by id. A permission for environments applies in the given environment, or in all. A root role may include permissions for projects, which then apply in all projects.',
  permission: 'ADMIN',
  body: roleInput,
  responses: { 200: object({ version: v.literal(1), roles: role }) },
  etag: true,
  errors: [409],
}).handle(
  ({ request, caller, body }) => lib.createRole(request, caller, body),
  (created) => ({ body: { version: 1, roles: roleViewOf(created) } }),
);

export const deleteRole = endpoint({
  route: 'DELETE /api/admin/roles/{id}',
  summary: 'Deletes a custom role that nobody has.',
  description: 'If users or groups have it, the reply is 409 and names them. The reply is 403 for a built-in role.',
  permission: 'ADMIN',
  params: rolePath,
  responses: { 200: null },
  etag: 'checked',
  errors: [404, 409],
}).handle(({ request, caller, params }) => lib.deleteRole(request, caller, params.id));

export const getPermissions = endpoint({
  route: 'GET /api/admin/permissions',
  summary: 'Lists all permissions that roles can have.',
  description:
    'They are grouped by scope: the whole service, a project, or an environment. The bodies of `/api/admin/roles` use their names.',
  responses: {
    200: object({
      version: v.literal(2),
      permissions: object({
        root: v.array(permission),
        project: v.array(permission),
        environments: v.array(object({ name, permissions: v.array(permission) })),
      }),
    }),
  },
}).handle(async ({ request }) => ({ version: 2, permissions: await lib.listPermissions(request) }));

export const getRoleById = endpoint({
  route: 'GET /api/admin/roles/{id}',
  summary: 'Returns a role with its permissions.',
  description:
    'A permission for environments that names none applies in all of them. Every user can read their own root role, which their profile page shows.',
  permission: ['ADMIN', 'READ_ROLE'],
  permissionBy: 'store',
  params: rolePath,
  responses: { 200: roleWithPermissions },
  etag: true,
}).handle(({ request, caller, params }) => lib.loadVisibleRole(request, caller, params.id));

export const getRoleProjectAccess = endpoint({
  route: 'GET /api/admin/projects/roles/{id}/access',
  summary: 'Lists the projects where a role is granted, and how many users and groups have it there.',
  description: 'Projects where nobody has the role are omitted.',
  permission: ['ADMIN', 'READ_ROLE'],
  params: rolePath,
  responses: { 200: object({ projects: v.array(roleAccess) }) },
}).handle(async ({ request, params }) => ({ projects: await countRoleAccess(request, params.id) }));

export const getRoles = endpoint({
  route: 'GET /api/admin/roles',
  summary: 'Lists all roles, built-in and custom.',
  description:
    '`type` distinguishes roles for the whole service (`root`, `root-custom`) from roles for projects (`project`, `custom`).',
  permission: ['ADMIN', 'READ_ROLE'],
  responses: { 200: object({ version: v.literal(1), roles: v.array(role) }) },
}).handle(async ({ request }) => ({ version: 1, roles: await listRoles(request) }));

export const updateRole = endpoint({
  route: 'PUT /api/admin/roles/{id}',
  summary: 'Updates a custom role: its name, description and permissions.',
  description:
    'Omitted fields keep their values. The new permissions take effect within five seconds for everyone with the role.',
  permission: 'ADMIN',
  params: rolePath,
  body: roleUpdate,
  responses: { 200: object({ version: v.literal(1), roles: role }) },
  etag: true,
  errors: [404, 409],
}).handle(
  ({ request, caller, params, body }) => lib.updateRole(request, caller, params.id, body),
  (updated) => ({ body: { version: 1, roles: roleViewOf(updated) } }),
);

export const validateRole = endpoint({
  route: 'POST /api/admin/roles/validate',
  summary: 'Checks whether a role can be created.',
  description: 'The reply lists errors, such as a name in use or an unknown permission. Nothing is created.',
  permission: 'ADMIN',
  body: roleInput,
  rights: 'read',
  responses: { 200: null },
  errors: [409],
}).handle(({ request, body }) => lib.validateRole(request, body));
