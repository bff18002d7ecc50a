import { endpointsOf } from '../../lib/http/endpoint.ts';
import { tokenStrings, validTokens } from '../../lib/tokens/api-token-schema.ts';
import { listValidTokens } from '../../lib/tokens/valid-tokens.ts';

const endpoint = endpointsOf('Unleash Edge');

export const getValidTokens = endpoint({
  route: 'POST /edge/validate',
  summary: 'Returns the valid ones of the given SDK tokens, with their scopes.',
  description:
    'An Unleash Edge asks this. Unknown and expired tokens are left out, and so are those that are not of SDKs. An unknown one ' +
    'may stay unknown for five seconds, and the reply is 429 where too many are asked about.',
  audience: 'public',
  // Anybody may ask.
  throttle: { ratePerSecond: 20, burst: 40 },
  body: tokenStrings,
  rights: 'read',
  responses: { 200: validTokens },
}).handle(async ({ request, body }) => ({ tokens: await listValidTokens(request, body.tokens) }));
