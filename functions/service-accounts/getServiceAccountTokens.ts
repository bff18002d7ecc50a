import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { serviceAccountPath } from '../../lib/people/service-account-schema.ts';
import { pat } from '../../lib/people/user-schema.ts';
import { serviceAccounts } from '../../lib/people/users.ts';
import { listPats } from '../../lib/tokens/personal-tokens.ts';
import { object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'GET /api/admin/service-account/{id}/token',
  group: 'Service accounts',
  summary: 'Lists the tokens of a service account, without their secrets.',
  permission: 'ADMIN',
  params: serviceAccountPath,
  responses: { 200: object({ pats: v.array(pat) }) },
}).handle(async ({ request, params: { id } }) => {
  const [pats] = await Promise.all([listPats(request, id), serviceAccounts.load(request, id)]);
  return { pats };
});
