import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { listServiceAccounts } from '../../lib/people/administer-service-accounts.ts';
import { role } from '../../lib/people/roles/role-schema.ts';
import { isRootRole, listRoles } from '../../lib/people/roles/roles.ts';
import { serviceAccount } from '../../lib/people/service-account-schema.ts';
import { object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'GET /api/admin/service-account',
  group: 'Service accounts',
  summary: 'Lists all service accounts with their tokens, and the roles that they can have.',
  permission: 'ADMIN',
  responses: { 200: object({ serviceAccounts: v.array(serviceAccount), rootRoles: v.array(role) }) },
}).handle(async ({ request }) => {
  const [serviceAccounts, roles] = await Promise.all([listServiceAccounts(request), listRoles(request)]);
  return { serviceAccounts, rootRoles: roles.filter(isRootRole) };
});
