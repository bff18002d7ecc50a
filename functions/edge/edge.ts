import { issueTokens } from '../../lib/delivery/edge/issue-tokens.ts';
import { findSigningEdge } from '../../lib/delivery/edge/signed-request.ts';
import { endpointsOf } from '../../lib/http/endpoint.ts';
import { sentRequest } from '../../lib/http/sent-request.ts';
import { edgeTokenRequests, validTokens } from '../../lib/tokens/api-token-schema.ts';

const endpoint = endpointsOf('Unleash Edge');

export const edgeCreateOrReturnTokens = endpoint({
  route: 'POST /edge/issue-token',
  summary: 'Returns tokens for the environments and projects that an Edge serves, and creates missing ones.',
  description:
    'The request is signed with the secret of the Edge, in the headers `authorization: HMAC <name>:<signature>`, `x-timestamp`, `x-nonce` and `content-sha256`, the hex hash of the body. The signature is the base64url HMAC-SHA256 of five lines: `POST`, `/edge/issue-token`, the timestamp, the nonce and the hash of the body. A request is accepted once, and for five minutes.',
  audience: 'public',
  signedBy: (request, event) => findSigningEdge(request, sentRequest(event)),
  body: edgeTokenRequests,
  secret: true,
  // An Edge that starts then gets its existing tokens. New ones are not created.
  duringMaintenance: true,
  reads: ['API_TOKENS_LIMIT', 'READABLE_CLIENT_TOKENS'],
  responses: { 200: validTokens },
  errors: [401],
}).handle(({ request, signer, body }) => issueTokens(request, signer, body.tokens));
