import { endpoint } from '../../lib/http/endpoint.ts';
import { isServiceAccount } from '../../lib/people/accounts.ts';
import { accountPath, permissionOverview, permissionPlace } from '../../lib/people/rights/access-overview-schema.ts';
import { permissionsOfAccount } from '../../lib/people/rights/overview.ts';

export const handler = endpoint({
  route: 'GET /api/admin/user-admin/{id}/permissions',
  group: 'Users',
  summary: 'Lists the permissions of a user, in the project and environment that the query names.',
  permission: 'ADMIN',
  params: accountPath,
  query: permissionPlace,
  responses: { 200: permissionOverview },
}).handle(({ request, params, query }) =>
  permissionsOfAccount(request, params.id, query, (account) => !isServiceAccount(account)),
);
