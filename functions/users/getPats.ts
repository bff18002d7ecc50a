import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { pat } from '../../lib/people/user-schema.ts';
import { listPats } from '../../lib/tokens/personal-tokens.ts';
import { object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'GET /api/admin/user/tokens',
  group: 'Users',
  summary: 'Lists the personal access tokens of the caller, without their secrets.',
  permission: 'NONE',
  responses: { 200: object({ pats: v.array(pat) }) },
}).handle(async ({ request, caller }) => ({ pats: await listPats(request, caller.id) }));
