import { endpoint } from '../../lib/http/endpoint.ts';
import { pat, patDescription } from '../../lib/people/user-schema.ts';
import { createPat } from '../../lib/tokens/personal-tokens.ts';
import { moment, object, text } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'POST /api/admin/user/tokens',
  group: 'Users',
  summary: 'Creates a personal access token, which acts as the caller.',
  description:
    'The secret is shown in this reply only. Made by another token, it ends with that one at the latest. The holder of ' +
    'an admin token is no user, which is a 403.',
  permission: 'NONE',
  body: object({ description: patDescription, expiresAt: moment }),
  responses: { 201: object({ ...pat.entries, secret: text }) },
  secret: true,
  errors: [409],
}).handle(({ request, caller, body }) => createPat(request, caller, body));
