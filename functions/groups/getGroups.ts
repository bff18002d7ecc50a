import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { listGroups } from '../../lib/people/groups/administer-groups.ts';
import { group } from '../../lib/people/groups/group-schema.ts';
import { object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'GET /api/admin/groups',
  group: 'Groups',
  summary: 'Lists all groups with their members, and the projects where they have roles.',
  permission: 'ADMIN',
  responses: { 200: object({ groups: v.array(group) }) },
}).handle(async ({ request }) => ({ groups: await listGroups(request) }));
