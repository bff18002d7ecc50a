import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { listPermissions } from '../../lib/rights/administer-roles.ts';
import { name, object } from '../../lib/schemas/primitives.ts';
import { permission } from '../../lib/schemas/role.ts';

export const handler = endpoint({
  method: 'GET',
  path: '/api/admin/permissions',
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
