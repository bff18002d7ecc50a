import { endpoint } from '../../lib/http/endpoint.ts';
import { accessRequests } from '../../lib/sign-in/access-requests.ts';
import { accessRequestList } from '../../lib/sign-in/sign-in-schema.ts';

export const handler = endpoint({
  route: 'GET /api/admin/user-access-requests',
  group: 'Users',
  summary: 'Lists the people without an account who have signed on, and wait for one.',
  description: 'Somebody is added where single sign-on creates no users, and admits the domain of their address.',
  permission: 'ADMIN',
  responses: { 200: accessRequestList },
}).handle(async ({ request }) => ({
  userAccessRequests: (await accessRequests.list(request)).map(({ id, email, requestedAt }) => ({
    id,
    email,
    requestedAt,
  })),
}));
