import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { account, userGroup } from '../../lib/schemas/access.ts';
import { object } from '../../lib/schemas/primitives.ts';
import { listAccess } from '../../lib/users/access-list.ts';

export const handler = endpoint({
  method: 'GET',
  path: '/api/admin/user-admin/access',
  group: 'Users',
  summary: 'Lists users, service accounts and groups, with the fields that everybody may see.',
  responses: { 200: object({ users: v.array(account), groups: v.array(userGroup) }) },
}).handle(({ request }) => listAccess(request));
