import { issueTokens } from '../../lib/delivery/edge/issue-tokens.ts';
import { findSigningEdge } from '../../lib/delivery/edge/signed-request.ts';
import { endpointsOf } from '../../lib/http/endpoint.ts';
import { sentRequest } from '../../lib/http/sent-request.ts';
import { edgeTokenRequests, validTokens } from '../../lib/tokens/api-token-schema.ts';

const endpoint = endpointsOf('Unleash Edge');

export const edgeCreateOrReturnTokens = endpoint({
  route: 'POST /edge/issue-token',
  summary: 'Returns the tokens of an Edge for environments and projects, and creates missing ones.',
  description:
    'The request is signed with the secret of the Edge: `authorization: HMAC <name>:<signature>`, `x-timestamp`, `x-nonce` and ' +
    '`content-sha256`, the hash of the body in hex. The signature is the HMAC-SHA256, in base64url, of `POST`, ' +
    '`/edge/issue-token`, the timestamp, the nonce and the hash of the body, a line each. A request is taken once, and within ' +
    'five minutes.',
  audience: 'public',
  signedBy: (request, event) => findSigningEdge(request, sentRequest(event)),
  body: edgeTokenRequests,
  secret: true,
  // An Edge that starts then gets the tokens that it has; no new ones are made.
  duringMaintenance: true,
  reads: ['API_TOKENS_LIMIT', 'READABLE_CLIENT_TOKENS'],
  responses: { 200: validTokens },
  errors: [401],
}).handle(({ request, signer, body }) => issueTokens(request, signer, body.tokens));
