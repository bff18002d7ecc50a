import { createHmac, randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { change, type Decision } from '../../entity/change.ts';
import { noEffects } from '../../entity/effects.ts';
import { forLaterPhases } from '../../entity/phases.ts';
import { type ErrorDetail, invalidRequest } from '../../errors.ts';
import { systemUser } from '../../events/actor.ts';
import { hasExpired } from '../../identity/caller.ts';
import * as tokenKeys from '../../identity/tokens/keys.ts';
import { buildSecret, type TokenScope } from '../../identity/tokens/token.ts';
import { buildToken, buildTokenCreation, removeTokens, type Token, tokens } from '../../identity/tokens/tokens.ts';
import type { Request } from '../../request.ts';
import { isInMaintenance, maintenanceError } from '../../settings/maintenance.ts';
import { readItems } from '../../store/read.ts';
import { LostRace } from '../../store/transactions/retry.ts';
import type { Versioned } from '../../store/transactions/versioned.ts';
import type { Write } from '../../store/transactions/write.ts';
import {
  assertTokensFit,
  buildPlaceChecks,
  loadPlaces,
  normalizeProjects,
  type Places,
} from '../../tokens/api-tokens.ts';
import { keepsClientSecrets } from '../../tokens/readable-secrets.ts';
import { distinctBy } from '../../values/lists.ts';
import { sha256 } from '../../values/sha256.ts';
import { type EdgeClient, edgeClients } from './edge-clients.ts';
import { refuseSignedRequest } from './signed-request.ts';

/** A token that an Edge has. */
interface IssuedToken extends TokenScope {
  readonly token: string;
  /** The name of client tokens since Unleash 7. */
  readonly type: 'backend';
}

/** The scope of a requested token. */
interface Scope extends TokenScope {
  /** Independent of the order of its projects. */
  readonly id: string;
  /** The path in the request, for errors. */
  readonly path: string;
}

/**
 * Returns the tokens of an Edge for the requested scopes, in their order. An Edge has one token for each environment and set of
 * projects; a missing, deleted or expired token is replaced. An interrupted request continues when it is sent again.
 * @throws ApiError 400 that names all missing environments and projects, or for too many tokens; 401 if the Edge was deleted
 * meanwhile; 503 if it needs a new token during maintenance.
 */
export async function issueTokens(
  request: Request,
  client: EdgeClient,
  requested: readonly TokenScope[],
): Promise<{ tokens: IssuedToken[] }> {
  const scopes = requested.map(toScope);
  const issued = await findIssued(request, client, scopes);
  const missing = scopes.filter((scope) => !isValid(issued.get(scope.id), scope));
  if (missing.length > 0) {
    const [places, isMaintenance] = await Promise.all([
      loadPlaces(request, [...new Set(missing.flatMap(({ projects }) => projects))]),
      isInMaintenance(request),
    ]);
    assertPlacesExist(missing, places);
    if (isMaintenance) throw maintenanceError();
  }
  // The response has secrets, so no idempotency record keeps it. Issuing a token twice does nothing the second time.
  const phaseRequest = forLaterPhases(request);
  for (const scope of distinctBy(missing, ({ id }) => id)) {
    issued.set(scope.id, await issue(phaseRequest, client, scope, issued.get(scope.id)));
  }
  return { tokens: scopes.map((scope) => toView(client, scope, issued.get(scope.id))) };
}

function toScope({ environment, projects }: TokenScope, index: number): Scope {
  const sortedProjects = normalizeProjects(projects).toSorted();
  const id = sha256(JSON.stringify([environment, ...sortedProjects]));
  return { id, environment, projects: sortedProjects, path: `tokens.${index}` };
}

/** Finds the tokens that an Edge has for some scopes, by the ids of the scopes. */
async function findIssued(request: Request, { id: edge }: EdgeClient, scopes: readonly Pick<Scope, 'id'>[]) {
  const ids = [...new Set(scopes.map(({ id }) => id))];
  const keys = ids.map((id) => tokenKeys.edgeToken(edge, id));
  const pointers = await readItems<{ readonly id: string }>(request, keys);
  const hashes = pointers.flatMap((pointer) => pointer?.id ?? []);
  const issued = await tokens.findSomeVersioned(request, hashes);
  return new Map([...issued.values()].map((token) => [token.value.edgeScope ?? '', token]));
}

/** Tells whether a token is usable. Deleting a project removes it from tokens, also if the project is created again. */
function isValid(token: Versioned<Token> | undefined, { projects }: Scope): token is Versioned<Token> {
  return token !== undefined && !hasExpired(token.value) && isDeepStrictEqual(token.value.projects, projects);
}

/** @throws ApiError 400 that names every environment and project that does not exist. */
function assertPlacesExist(scopes: readonly Scope[], { environments, projects: existing }: Places): void {
  const problems = scopes.flatMap(({ environment, projects, path }): ErrorDetail[] => [
    ...(environments.some(({ name }) => name === environment)
      ? []
      : [{ message: `There is no environment "${environment}".`, path: `${path}.environment` }]),
    ...projects
      .filter((project) => !existing.has(project))
      .map((project) => ({ message: `There is no project "${project}".`, path: `${path}.projects` })),
  ]);
  if (problems.length > 0) throw invalidRequest(problems);
}

/** Issues a token for a scope, unless another request has done so meanwhile. */
async function issue(request: Request, client: EdgeClient, scope: Scope, before: Versioned<Token> | undefined) {
  if (before !== undefined && hasExpired(before.value)) await removeTokens(request, systemUser, [before], hasExpired);
  const salt = randomBytes(16).toString('hex');
  return change(request, systemUser, {
    items: [tokenKeys.edgeToken(client.id, scope.id)],
    read: () => Promise.all([findIssued(request, client, [scope]), loadPlaces(request, scope.projects)]),
    revisionOf: () => undefined,
    decide: ([issued, places], at) => {
      const token = issued.get(scope.id);
      if (isValid(token, scope)) return { ...noEffects, result: token };
      assertPlacesExist([scope], places);
      const { writes, events, result } =
        token === undefined ? createToken(client, scope, salt, places, at) : completeToken(token, scope);
      return { writes: [buildEdgeCheck(client), ...buildScopeChecks(scope), ...writes], events, result };
    },
  });
}

function createToken(client: EdgeClient, scope: Scope, salt: string, places: Places, at: string) {
  assertTokensFit(places);
  const { environment, projects, id: edgeScope } = scope;
  const input = {
    kind: 'client',
    name: `edge ${client.id}`,
    environment,
    projects,
    issued: { edge: client.id, edgeScope, salt },
    isReadable: keepsClientSecrets(),
  } as const;
  const value = buildToken(deriveSecret(client, scope, salt), input, at);
  const { version, ...effects } = buildTokenCreation(value, 'retry');
  return { ...effects, result: { value, version } };
}

/** Adds the projects that a token lacks. */
function completeToken(token: Versioned<Token>, { projects }: Scope): Decision<Versioned<Token>> {
  const value = { ...token.value, projects };
  return { ...tokens.buildUpdateEffects(token, value), result: { value, version: token.version + 1 } };
}

/** Requires that the Edge still exists. It conflicts with a concurrent deletion, which then finds the new token. */
function buildEdgeCheck({ id, secret }: EdgeClient): Write {
  const otherwise = () => refuseSignedRequest('The Edge was deleted meanwhile.');
  return { add: edgeClients.keyOf(id), amounts: { version: 1 }, when: { same: { secret } }, otherwise };
}

/** Requires that the environment and the projects still exist; otherwise another attempt names those that do not. */
function buildScopeChecks(scope: Scope): Write[] {
  return buildPlaceChecks(scope).map((check) => ({ ...check, otherwise: () => new LostRace() }));
}

function toView(client: EdgeClient, scope: Scope, token: Versioned<Token> | undefined): IssuedToken {
  const { environment, projects } = scope;
  return { token: deriveSecret(client, scope, token?.value.salt ?? ''), type: 'backend', environment, projects };
}

/** Derives the secret of a token, which is not stored, from the secret of the Edge and a salt. */
function deriveSecret({ secret }: EdgeClient, scope: TokenScope, salt: string): string {
  return buildSecret(scope, createHmac('sha256', Buffer.from(secret, 'base64url')).update(`token ${salt}`).digest());
}
