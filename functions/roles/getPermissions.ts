import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { listPermissions } from '../../lib/people/roles/administer-roles.ts';
import { permission } from '../../lib/people/roles/role-schema.ts';
import { name, object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'GET /api/admin/permissions',
  group: 'Roles',
  summary: 'Lists all permissions that roles can have.',
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
}).handle(async ({ request }) => ({ version: 2, permissions: await listPermissions(request) }));
