import { createHmac, randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { change, type Decision } from '../../entity/change.ts';
import { noEffects } from '../../entity/step.ts';
import { forSteps } from '../../entity/steps.ts';
import { type ErrorDetail, invalidRequest } from '../../errors.ts';
import { systemUser } from '../../events/actor.ts';
import { hasExpired } from '../../identity/caller.ts';
import * as tokenKeys from '../../identity/tokens/keys.ts';
import { secretOf, type TokenScope } from '../../identity/tokens/token.ts';
import { removeTokens, type Token, tokenCreated, tokenOf, tokens } from '../../identity/tokens/tokens.ts';
import type { Request } from '../../request.ts';
import { inMaintenance, isInMaintenance } from '../../settings/maintenance.ts';
import { readItems } from '../../store/read.ts';
import { LostRace } from '../../store/transactions/retry.ts';
import type { Versioned } from '../../store/transactions/versioned.ts';
import type { Write } from '../../store/transactions/write.ts';
import { assertTokensFit, distinct, loadPlaces, type Places, placesAreThere } from '../../tokens/api-tokens.ts';
import { keepsClientSecrets } from '../../tokens/readable-secrets.ts';
import { distinctBy } from '../../values/duplicates.ts';
import { sha256 } from '../../values/sha256.ts';
import type { EdgeClient } from './edge-clients.ts';
import { edgeClients } from './edge-clients.ts';
import { refusedRequest } from './signed-request.ts';

/** A token that an Edge has. */
interface IssuedToken extends TokenScope {
  readonly token: string;
  /** As Unleash calls the tokens of servers since its release 7. */
  readonly type: 'backend';
}

/** The scope of a token that is asked for. */
interface Scope extends TokenScope {
  /** The same for whatever order its projects come in. */
  readonly id: string;
  /** Its place in the request. */
  readonly path: string;
}

/**
 * The tokens of an Edge for what it asks, in that order: those that it has, or new ones where it has none, or where they
 * were deleted or have expired. It has one for an environment and a set of projects. Cut off and sent again, it goes on.
 * @throws ApiError 400 that names all places which do not exist, or where there are too many tokens; 401 where the Edge
 * was deleted meanwhile; 503 where it needs a new token during maintenance.
 */
export async function issueTokens(
  request: Request,
  client: EdgeClient,
  wanted: readonly TokenScope[],
): Promise<{ tokens: IssuedToken[] }> {
  const scopes = wanted.map(scopeOf);
  const issued = await findIssued(request, client, scopes);
  const missing = scopes.filter((scope) => !isGood(issued.get(scope.id), scope));
  if (missing.length > 0) {
    const [places, isHeld] = await Promise.all([
      loadPlaces(request, [...new Set(missing.flatMap(({ projects }) => projects))]),
      isInMaintenance(request),
    ]);
    assertThere(missing, places);
    if (isHeld) throw inMaintenance();
  }
  // The answer holds secrets, so that no receipt keeps it, and each step does nothing where it is done already.
  const steps = forSteps(request);
  for (const scope of distinctBy(missing, ({ id }) => id)) {
    issued.set(scope.id, await issue(steps, client, scope, issued.get(scope.id)));
  }
  return { tokens: scopes.map((scope) => viewOf(client, scope, issued.get(scope.id))) };
}

function scopeOf({ environment, projects }: TokenScope, index: number): Scope {
  const inOrder = distinct(projects).toSorted();
  const id = sha256(JSON.stringify([environment, ...inOrder]));
  return { id, environment, projects: inOrder, path: `tokens.${index}` };
}

/** The tokens that an Edge was given for some scopes, by their ids. */
async function findIssued(request: Request, { id: edge }: EdgeClient, scopes: readonly Pick<Scope, 'id'>[]) {
  const ids = [...new Set(scopes.map(({ id }) => id))];
  const places = ids.map((id) => tokenKeys.edgeToken(edge, id));
  const pointers = await readItems<{ readonly id: string }>(request, places);
  const hashes = pointers.flatMap((pointer) => pointer?.id ?? []);
  const found = await tokens.someVersioned(request, hashes);
  return new Map([...found.values()].map((token) => [token.value.edgeScope ?? '', token]));
}

/** A project that was deleted is missing in a token, also where there is one of that name again. */
function isGood(token: Versioned<Token> | undefined, { projects }: Scope): token is Versioned<Token> {
  return token !== undefined && !hasExpired(token.value) && isDeepStrictEqual(token.value.projects, projects);
}

/** @throws ApiError 400 that names every place which does not exist. */
function assertThere(scopes: readonly Scope[], { environments, projects: known }: Places): void {
  const problems = scopes.flatMap(({ environment, projects, path }): ErrorDetail[] => [
    ...(environments.some(({ name }) => name === environment)
      ? []
      : [{ message: `There is no environment "${environment}".`, path: `${path}.environment` }]),
    ...projects
      .filter((project) => !known.has(project))
      .map((project) => ({ message: `There is no project "${project}".`, path: `${path}.projects` })),
  ]);
  if (problems.length > 0) throw invalidRequest(problems);
}

/** Gives an Edge a token for a scope, unless another request has done so meanwhile. */
async function issue(request: Request, client: EdgeClient, scope: Scope, before: Versioned<Token> | undefined) {
  if (before !== undefined && hasExpired(before.value)) await removeTokens(request, systemUser, [before], hasExpired);
  const salt = randomBytes(16).toString('hex');
  return change(request, systemUser, {
    of: [tokenKeys.edgeToken(client.id, scope.id)],
    read: () => Promise.all([findIssued(request, client, [scope]), loadPlaces(request, scope.projects)]),
    revisionOf: () => undefined,
    decide: ([issued, places], at) => {
      const found = issued.get(scope.id);
      if (isGood(found, scope)) return { ...noEffects, result: found };
      assertThere([scope], places);
      const { writes, events, result } =
        found === undefined ? created(client, scope, salt, places, at) : completed(found, scope);
      return { writes: [stillKnown(client), ...stillThere(scope), ...writes], events, result };
    },
  });
}

function created(client: EdgeClient, scope: Scope, salt: string, places: Places, at: string) {
  assertTokensFit(places);
  const { environment, projects, id: edgeScope } = scope;
  const wanted = {
    kind: 'client',
    name: `edge ${client.id}`,
    environment,
    projects,
    issued: { edge: client.id, edgeScope, salt },
    isReadable: keepsClientSecrets(),
  } as const;
  const value = tokenOf(issuedSecret(client, scope, salt), wanted, at);
  const { version, ...effects } = tokenCreated(value, 'retry');
  return { ...effects, result: { value, version } };
}

/** The token gets the projects back that it lacks. */
function completed(token: Versioned<Token>, { projects }: Scope): Decision<Versioned<Token>> {
  const value = { ...token.value, projects };
  return { ...tokens.updated(token, value), result: { value, version: token.version + 1 } };
}

/** A deletion of the Edge at the same moment conflicts with this, so that it finds the new token. */
function stillKnown({ id, secret }: EdgeClient): Write {
  const otherwise = () => refusedRequest('The Edge was deleted meanwhile.');
  return { add: edgeClients.keyOf(id), amounts: { version: 1 }, when: { same: { secret } }, otherwise };
}

/** The conditions under which the places are still there; otherwise another attempt says which one is not. */
function stillThere(scope: Scope): Write[] {
  return placesAreThere(scope).map((check) => ({ ...check, otherwise: () => new LostRace() }));
}

function viewOf(client: EdgeClient, scope: Scope, token: Versioned<Token> | undefined): IssuedToken {
  const { environment, projects } = scope;
  return { token: issuedSecret(client, scope, token?.value.salt ?? ''), type: 'backend', environment, projects };
}

/**
 * The secret of a token, which is kept nowhere: it follows from that of the Edge, which cannot say it without the salt, and
 * from the salt, which says nothing without that of the Edge.
 */
function issuedSecret({ secret }: EdgeClient, scope: TokenScope, salt: string): string {
  return secretOf(scope, createHmac('sha256', Buffer.from(secret, 'base64url')).update(`token ${salt}`).digest());
}
