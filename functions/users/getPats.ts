import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { object } from '../../lib/schemas/primitives.ts';
import { pat } from '../../lib/schemas/user.ts';
import { listPats } from '../../lib/users/personal-tokens.ts';

export const handler = endpoint({
  method: 'GET',
  path: '/api/admin/user/tokens',
  group: 'Users',
  summary: 'Lists the personal access tokens of the caller, without their secrets.',
  permission: 'NONE',
  responses: { 200: object({ pats: v.array(pat) }) },
}).handle(async ({ request, caller }) => ({ pats: await listPats(request, caller.id) }));
