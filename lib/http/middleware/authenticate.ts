import { ApiError } from '../../errors.ts';
import { identify } from '../../users/caller.ts';
import { secretIn } from '../../users/token.ts';
import type { Declaration } from '../declaration.ts';
import type { Middleware } from './state.ts';

/** Answers 401 to whoever shows no valid token (interface, section "Authentication"). */
export function authenticate({ public: isPublic }: Pick<Declaration, 'public'>): Middleware {
  return {
    before: async function authenticateBefore({ event, context }) {
      if (isPublic) return;
      const token = await identify(context.table, secretIn(event.headers.authorization));
      if (token === undefined) throw authenticationRequired();
      context.token = token;
    },
  };
}

export function authenticationRequired(): ApiError {
  return new ApiError('AuthenticationRequired', 'A valid token is needed in the authorization header.');
}
