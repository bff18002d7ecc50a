import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { listServiceAccounts } from '../../lib/rights/administer-service-accounts.ts';
import { object } from '../../lib/schemas/primitives.ts';
import { role } from '../../lib/schemas/role.ts';
import { serviceAccount } from '../../lib/schemas/service-account.ts';
import { isRootRole, listRoles } from '../../lib/users/role-views.ts';

export const handler = endpoint({
  method: 'GET',
  path: '/api/admin/service-account',
  group: 'Service accounts',
  summary: 'Lists all service accounts with their tokens, and the roles that they can have.',
  permission: 'ADMIN',
  responses: { 200: object({ serviceAccounts: v.array(serviceAccount), rootRoles: v.array(role) }) },
}).handle(async ({ request }) => {
  const [serviceAccounts, roles] = await Promise.all([listServiceAccounts(request), listRoles(request)]);
  return { serviceAccounts, rootRoles: roles.filter(isRootRole) };
});
