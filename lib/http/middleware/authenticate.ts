import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { ApiError } from '../../errors.ts';
import { loadPrivateProjects } from '../../identity/access-flags/access-flags.ts';
import { identify, identifyByHash, isStillKnown, loadCaller } from '../../identity/caller.ts';
import { formOf, isHash, parseAuthorization, type TokenKind } from '../../identity/tokens/token.ts';
import { recordTokenUse } from '../../identity/tokens/token-use.ts';
import { scopeOf, type Token, tokenConditionOf } from '../../identity/tokens/tokens.ts';
import { isInMaintenance } from '../../settings/maintenance.ts';
import { extendSession, findSession, sessionConditionOf } from '../../sign-in/sessions.ts';
import { sessionCookie } from '../cookies.ts';
import { type Audience, type Declaration, isMutation } from '../declaration.ts';
import { segmentsOf } from '../route-matcher.ts';
import { assertNotCrossOrigin, assertSameOrigin } from '../same-origin.ts';
import { isJson } from './body.ts';
import type { ChainRequest, Middleware } from './state.ts';
import { assertDecodable } from './validate.ts';

/** The accepted kinds of tokens by audience. */
const tokenKinds: Record<Exclude<Audience, 'public'>, readonly TokenKind[]> = {
  admin: ['admin', 'user', 'agent'],
  client: ['client'],
  frontend: ['frontend'],
  evaluation: ['frontend', 'client'],
};

const kindNames: Record<TokenKind, string> = {
  admin: 'an admin token',
  user: 'a personal access token',
  agent: 'a token that may only propose changes',
  client: 'a client token',
  frontend: 'a frontend token',
};

type AuthenticatedDeclaration = Pick<
  Declaration,
  'audience' | 'method' | 'rights' | 'waysIn' | 'signedBy' | 'tokenInPath' | 'protocol'
>;

/**
 * Answers 401 to a caller without a valid token, and 403 to a caller whose token is, or looks like, one for another audience. SDKs stop
 * for good after either, so they are still served while the store cannot be reached. People may use a session instead of a token; if
 * a request has both, the token is used. Agents need a token. A signed request needs neither.
 */
export function authenticate({
  audience = 'admin',
  waysIn,
  signedBy,
  tokenInPath,
  protocol,
  ...operation
}: Partial<AuthenticatedDeclaration>): Middleware {
  const changes = operation.method !== undefined && isMutation({ ...operation, method: operation.method });
  const mayWrite = changes || operation.rights === 'count';
  return {
    before: async function authenticateBefore(request) {
      try {
        await authenticateCaller(request);
      } catch (error) {
        const { context } = request;
        context.waysIn = await waysIn?.(context.service).catch(() => undefined);
        throw error;
      }
    },
    after: async function authenticateAfter({ context, response }) {
      await context.seen;
      const cookie = await context.newCookie;
      // A cookie that the reply sets itself takes precedence.
      if (cookie !== undefined && response != null) response.headers = { 'set-cookie': cookie, ...response.headers };
    },
  };

  async function authenticateCaller(request: ChainRequest): Promise<void> {
    const { event, context } = request;
    if (tokenInPath !== undefined) return accept(request, await findTokenInPath(request, tokenInPath), true);
    if (audience === 'public') {
      if (changes) assertNotCrossOrigin(event);
      if (signedBy !== undefined) context.signer = await signedBy(context.service, event);
      return;
    }
    const isForAgents = protocol === 'MCP';
    if (isForAgents) assertNotCrossOrigin(event);
    const throughOutage = audience !== 'admin';
    const secret = parseAuthorization(headerOf(event.headers, audience));
    if (secret === undefined && audience === 'admin' && context.session !== undefined && !isForAgents) {
      return authenticateSession(request, context.session, { changes, mayWrite });
    }
    const [token] = await Promise.all([
      identify(context.service, secret, { throughOutage }),
      // They are loaded together with the token, so they cost no further round trip. Changes need both.
      audience === 'admin' &&
        secret !== undefined &&
        Promise.all([isInMaintenance(context.service), loadPrivateProjects(context.service)]),
    ]);
    if (token === undefined) {
      if (isForAgents) throw tokenRequired();
      throw throughOutage ? unknownToSdks(audience, secret) : authenticationRequired();
    }
    if (!tokenKinds[audience].includes(token.kind)) throw wrongKind(tokenKinds[audience], token.kind);
    accept(request, token, throughOutage);
  }

  function accept({ context }: ChainRequest, token: Token, throughOutage: boolean): void {
    context.token = token;
    if (audience === 'admin') context.credential = tokenConditionOf(token);
    context.scope = scopeOf(token);
    // This runs while the request is carried out.
    if (context.scope !== undefined) context.seen = recordTokenUse(context.service, token);
    if (throughOutage) context.tokenHolds = (at) => isStillKnown(context.service, token, at);
  }
}

/** The effects that a request may have: changes, or the writes that some reads make. */
interface Intent {
  readonly changes: boolean;
  readonly mayWrite: boolean;
}

/**
 * Authenticates the user of a session. Browsers also send its cookie with requests of other sites, so a change must come from a page
 * of this service and be in JSON, which a form of another site cannot send.
 */
async function authenticateSession({ event, context }: ChainRequest, secret: string, { changes, mayWrite }: Intent) {
  const [session] = await Promise.all([
    findSession(context.service, secret),
    isInMaintenance(context.service),
    loadPrivateProjects(context.service),
  ]);
  if (session === undefined) throw authenticationRequired();
  const { hash, userId, createdAt } = session;
  const token: Token = { hash, kind: 'user', name: '', userId, createdAt };
  // A session may remain if the user was deleted while signing in.
  if ((await loadCaller(context.service, token)) === undefined) throw authenticationRequired();
  if (changes) {
    assertSameOrigin(event);
    const { body = '', headers } = event;
    if (body !== '' && !isJson(headers['content-type']))
      throw new ApiError('ContentTypeerror', 'With a session, a body must be JSON.');
  }
  context.token = token;
  context.credential = sessionConditionOf(session);
  if (!mayWrite) return;
  context.newCookie = extendSession(context.service, session).then((isProlonged) =>
    isProlonged ? sessionCookie(context.origin, secret) : undefined,
  );
}

/**
 * Finds the token of an SDK whose hash is in the path.
 * @throws ApiError 404 if there is none, or if it has expired.
 */
async function findTokenInPath({ event, context: { service } }: ChainRequest, parameter: string): Promise<Token> {
  const id = event.pathParameters?.[parameter] ?? '';
  assertDecodable(id);
  const token = isHash(id) ? await identifyByHash(service, id, { throughOutage: true }) : undefined;
  if (token !== undefined && tokenKinds.evaluation.includes(token.kind)) return token;
  throw new ApiError('NotFoundError', 'There is no such stream; its token may have been deleted.');
}

/** Returns the header with the token. OpenFeature providers may use `x-api-key`. */
function headerOf(headers: APIGatewayProxyEventV2['headers'], audience: Audience): string | undefined {
  return headers.authorization ?? (audience === 'evaluation' ? headers['x-api-key'] : undefined);
}

export function authenticationRequired(): ApiError {
  return new ApiError('AuthenticationRequired', 'A valid token is required in the Authorization header, or a session.');
}

/** Returns the error for an agent, whose session does not count. */
function tokenRequired(): ApiError {
  return new ApiError('AuthenticationRequired', 'A valid token is required in the Authorization header.');
}

/** Returns the error for an unknown token of an SDK. Its form may show that it is of another kind. */
function unknownToSdks(audience: keyof typeof tokenKinds, secret = ''): ApiError {
  const form = formOf(secret);
  return form === 'admin' || form === 'user' ? wrongKind(tokenKinds[audience], form) : authenticationRequired();
}

function wrongKind(taken: readonly TokenKind[], sent: TokenKind): ApiError {
  const names = taken.map((kind) => kindNames[kind]).join(' or ');
  return new ApiError('NoAccessError', `This path requires ${names}, but the request has ${kindNames[sent]}.`);
}

/** Returns the audience of a path without an endpoint. */
export function audienceOf(path: string): Audience {
  const [first, second] = segmentsOf(path.toLowerCase());
  if (first === 'ofrep') return 'evaluation';
  if (first === 'mcp') return 'admin';
  if (first !== 'api' || second === undefined) return 'public';
  return second === 'client' || second === 'frontend' ? second : 'admin';
}
