import { ApiError } from '../../errors.ts';
import { identify } from '../../users/caller.ts';
import { secretIn, type TokenKind } from '../../users/token.ts';
import type { Audience, Declaration } from '../declaration.ts';
import type { Middleware } from './state.ts';

/** The kinds of tokens that each audience has; none exist for SDKs yet, so that nothing of theirs could be called. */
const tokenKinds: Record<Exclude<Audience, 'public'>, readonly TokenKind[]> = {
  admin: ['admin', 'user'],
  client: [],
  frontend: [],
};

/** Answers 401 to a caller without a valid token (interface, section "Authentication"). */
export function authenticate({ audience = 'admin' }: Pick<Declaration, 'audience'>): Middleware {
  return {
    before: async function authenticateBefore({ event, context }) {
      if (audience === 'public') return;
      const token = await identify(context.table, secretIn(event.headers.authorization));
      if (token === undefined || !tokenKinds[audience].includes(token.kind)) throw authenticationRequired();
      context.token = token;
    },
  };
}

export function authenticationRequired(): ApiError {
  return new ApiError('AuthenticationRequired', 'A valid token is required in the Authorization header.');
}
