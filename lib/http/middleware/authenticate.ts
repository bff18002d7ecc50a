import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { ApiError } from '../../errors.ts';
import { isInMaintenance } from '../../settings/maintenance.ts';
import { identify, isStillKnown } from '../../users/caller.ts';
import { noteSeen } from '../../users/seen.ts';
import { secretIn, type TokenKind } from '../../users/token.ts';
import { scopeOf } from '../../users/tokens.ts';
import type { Audience, Declaration } from '../declaration.ts';
import type { Middleware } from './state.ts';

/** The kinds of tokens that each audience has. */
const tokenKinds: Record<Exclude<Audience, 'public'>, readonly TokenKind[]> = {
  admin: ['admin', 'user'],
  client: ['client'],
  frontend: ['frontend'],
  evaluation: ['frontend', 'client'],
};

const kindNames: Record<TokenKind, string> = {
  admin: 'an admin token',
  user: 'a personal access token',
  client: 'a client token',
  frontend: 'a frontend token',
};

/**
 * Answers 401 to a caller without a valid token (interface, section "Authentication"), and 403 to one whose token is for
 * another audience. An SDK that gets either stops for good, so that it is served on while the store cannot be reached.
 */
export function authenticate({ audience = 'admin' }: Pick<Declaration, 'audience'>): Middleware {
  return {
    before: async function authenticateBefore({ event, context }) {
      if (audience === 'public') return;
      const throughOutage = audience !== 'admin';
      const secret = secretIn(headerOf(event.headers, audience));
      const [token] = await Promise.all([
        identify(context.table, secret, { throughOutage }),
        // Asked for together, it is no request of its own; what changes something will want to know.
        audience === 'admin' && secret !== undefined && isInMaintenance(context.table),
      ]);
      if (token === undefined) throw authenticationRequired();
      if (!tokenKinds[audience].includes(token.kind)) throw wrongKind(tokenKinds[audience], token.kind);
      context.token = token;
      context.scope = scopeOf(token);
      // While the request is carried out.
      if (context.scope !== undefined) context.seen = noteSeen(context.table, token);
      if (throughOutage) context.tokenHolds = () => isStillKnown(context.table, token);
    },
    after: async function authenticateAfter({ context }) {
      await context.seen;
    },
  };
}

/** OpenFeature providers may send it under a name of their own. */
function headerOf(headers: APIGatewayProxyEventV2['headers'], audience: Audience): string | undefined {
  return headers.authorization ?? (audience === 'evaluation' ? headers['x-api-key'] : undefined);
}

export function authenticationRequired(): ApiError {
  return new ApiError('AuthenticationRequired', 'A valid token is required in the Authorization header.');
}

function wrongKind(taken: readonly TokenKind[], sent: TokenKind): ApiError {
  const names = taken.map((kind) => kindNames[kind]).join(' or ');
  return new ApiError('NoAccessError', `This path takes ${names}; ${kindNames[sent]} was sent.`);
}

/** Whose tokens a path takes that no endpoint is on. */
export function audienceOf(path: string): Audience {
  const [, first, second] = path.split('/');
  if (first === 'ofrep') return 'evaluation';
  if (first !== 'api' || second === undefined) return 'public';
  return second === 'client' || second === 'frontend' ? second : 'admin';
}
