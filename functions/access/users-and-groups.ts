import * as v from 'valibot';
import { endpointsOf } from '../../lib/http/endpoint.ts';
import { listAccess } from '../../lib/people/access-list.ts';
import { account, userGroup } from '../../lib/people/rights/access-schema.ts';
import { object } from '../../lib/values/primitives.ts';

const endpoint = endpointsOf('Users');

export const getBaseUsersAndGroups = endpoint({
  route: 'GET /api/admin/user-admin/access',
  summary: 'Lists users, service accounts and groups, with the fields that everyone may see.',
  description:
    'Members of groups are counted. They are listed unless there are too many for a reply, which a `warning` header says.',
  responses: { 200: object({ users: v.array(account), groups: v.array(userGroup) }) },
}).handle(({ request }) => listAccess(request));
