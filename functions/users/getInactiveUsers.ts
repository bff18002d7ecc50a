import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { listInactive } from '../../lib/sign-in/inactive-users.ts';
import { integer, object, text, timestamp } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'GET /api/admin/user-admin/inactive',
  group: 'Users',
  summary: 'Lists the users who have not signed in for 180 days and have neither a valid token nor a session.',
  permission: 'ADMIN',
  responses: {
    200: object({
      version: v.literal(1),
      inactiveUsers: v.array(
        object({
          id: integer,
          name: v.exactOptional(text),
          username: v.exactOptional(text),
          email: v.exactOptional(text),
          seenAt: v.nullable(timestamp),
          createdAt: timestamp,
          patSeenAt: v.null(),
        }),
      ),
    }),
  },
}).handle(async ({ request }) => ({
  version: 1,
  inactiveUsers: (await listInactive(request)).map(({ id, name, username, email, seenAt = null, createdAt }) => ({
    id,
    ...(name && { name }),
    ...(username && { username }),
    ...(email && { email }),
    seenAt,
    createdAt,
    patSeenAt: null,
  })),
}));
