import { requestIdentityOf } from '../../idempotency/request-identity.ts';
import { parseAuthorization } from '../../identity/tokens/token.ts';
import type { Declaration } from '../declaration.ts';
import type { RequestCheck } from './state.ts';

/** Computes the identity of a request with an idempotency key, from the body as it was sent. */
export function idempotencyKey({ method }: Pick<Declaration, 'method'>): RequestCheck {
  return ({ event, context }) => {
    const { 'idempotency-key': key, authorization } = event.headers;
    if (key === undefined) return;
    const identity = requestIdentityOf({
      key,
      secret: context.signer?.secret ?? parseAuthorization(authorization) ?? context.session ?? '',
      method,
      path: event.rawPath,
      query: event.rawQueryString,
      ifMatch: event.headers['if-match'],
      body: event.body ?? '',
    });
    const isAnonymous = context.token === undefined && context.signer === undefined;
    context.requestIdentity = { ...identity, isAnonymous };
  };
}
