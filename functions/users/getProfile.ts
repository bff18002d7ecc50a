import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { object, text } from '../../lib/schemas/primitives.ts';
import { role } from '../../lib/schemas/role.ts';
import { profileOf } from '../../lib/users/profile.ts';

export const handler = endpoint({
  method: 'GET',
  path: '/api/admin/user/profile',
  group: 'Users',
  summary: 'Returns the role of the caller, and the projects in which they have one.',
  permission: 'NONE',
  responses: {
    200: object({
      rootRole: role,
      projects: v.array(text),
      features: v.array(object({})),
      subscriptions: v.array(text),
    }),
  },
}).handle(async ({ table, caller }) => ({
  ...(await profileOf(table, caller)),
  features: [],
  // Nobody is sent anything.
  subscriptions: [],
}));
