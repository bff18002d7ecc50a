import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { profileOf } from '../../lib/people/profile.ts';
import { role } from '../../lib/people/roles/role-schema.ts';
import { takesPasswords } from '../../lib/sign-in/ways.ts';
import { boolean, object, text } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'GET /api/admin/user/profile',
  group: 'Users',
  summary: 'Returns the role of the caller, and the projects in which they have one.',
  permission: 'NONE',
  responses: {
    200: object({
      rootRole: role,
      projects: v.array(text),
      groups: v.array(text),
      features: v.array(object({})),
      subscriptions: v.array(text),
      canChangePassword: boolean,
    }),
  },
}).handle(async ({ request, caller }) => {
  const [profile, hasPasswords] = await Promise.all([profileOf(request, caller), takesPasswords(request)]);
  return {
    ...profile,
    features: [],
    // No messages are sent.
    subscriptions: [],
    canChangePassword: hasPasswords && caller.id > 0,
  };
});
