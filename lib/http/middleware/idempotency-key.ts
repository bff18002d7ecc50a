import { identityOf } from '../../idempotency/request-identity.ts';
import { secretIn } from '../../users/token.ts';
import type { Middleware } from './state.ts';

/** Finds out which request an `idempotency-key` stands for, from the body as it was sent. */
export function idempotencyKey(): Middleware {
  return {
    before: function idempotencyKeyBefore({ event, context }) {
      const { 'idempotency-key': key, authorization } = event.headers;
      if (key === undefined) return;
      const { method, path } = event.requestContext.http;
      context.requestIdentity = identityOf({
        key,
        secret: secretIn(authorization) ?? '',
        method,
        path,
        body: event.body ?? '',
      });
    },
  };
}
