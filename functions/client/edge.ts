import { endpointsOf } from '../../lib/http/endpoint.ts';
import { tokenStrings, validTokens } from '../../lib/tokens/api-token-schema.ts';
import { listValidTokens } from '../../lib/tokens/valid-tokens.ts';

const endpoint = endpointsOf('Unleash Edge');

export const getValidTokens = endpoint({
  route: 'POST /edge/validate',
  summary: 'Returns those of the given SDK tokens that are valid, with their scopes.',
  description:
    'Unleash Edge calls it. Unknown and expired tokens are omitted, and so are tokens of other types. A new token may be unknown for five seconds. The reply is 429 if a caller asks for too many unknown tokens.',
  audience: 'public',
  // It needs no token.
  throttle: { ratePerSecond: 20, burst: 40 },
  body: tokenStrings,
  rights: 'read',
  responses: { 200: validTokens },
}).handle(async ({ request, body }) => ({ tokens: await listValidTokens(request, body.tokens) }));
