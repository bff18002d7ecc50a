import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { listGroups } from '../../lib/rights/administer-groups.ts';
import { group } from '../../lib/schemas/group.ts';
import { object } from '../../lib/schemas/primitives.ts';

export const handler = endpoint({
  method: 'GET',
  path: '/api/admin/groups',
  group: 'Groups',
  summary: 'Lists all groups with their members, and the projects where they have roles.',
  permission: 'ADMIN',
  responses: { 200: object({ groups: v.array(group) }) },
}).handle(async ({ request }) => ({ groups: await listGroups(request) }));
