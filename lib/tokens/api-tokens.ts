import { change } from '../entity/change.ts';
import { buildExistenceCheck } from '../entity/references.ts';
import { environments, listEnvironments } from '../environments/environments.ts';
import { ApiError, type ErrorDetail, invalid, notFound } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import { loadPrivateProjects } from '../identity/access-flags/access-flags.ts';
import { type Caller, requirePermission } from '../identity/caller.ts';
import type { Permission } from '../identity/permissions.ts';
import {
  allProjects,
  formOf,
  hashOf,
  isPersonal,
  makeSecret,
  parseTokenId,
  type TokenScope,
} from '../identity/tokens/token.ts';
import {
  adminScope,
  buildExpiry,
  buildToken,
  buildTokenCreation,
  findTokenById,
  loadTokens,
  maskOf,
  removeToken,
  type SdkTokenRequest,
  scopeOf,
  type Token,
  tokens,
} from '../identity/tokens/tokens.ts';
import { assertRoom, readApiTokensLimit, readProjectApiTokensLimit } from '../limits.ts';
import { buildProjectCheck, loadProject, projects as projectEntity } from '../projects/projects.ts';
import { canSeeAll, filterVisibleProjects, isVisibleIn, type Request, seesAllProjects } from '../request.ts';
import { type Versioned, versionAfter } from '../store/transactions/versioned.ts';
import type { Write } from '../store/transactions/write.ts';
import { isName } from '../values/primitives.ts';
import type { ApiToken, ProjectApiTokenInput } from './api-token-schema.ts';
import { keepsClientSecrets, readableSecretOf } from './readable-secrets.ts';

/** An SDK token to create. */
export type NewApiToken = Omit<SdkTokenRequest, 'isReadable' | 'issued'>;

/** Returns the permission for an action on tokens of a kind; admin tokens need ADMIN. */
export function tokenPermissionOf(verb: 'CREATE' | 'READ' | 'UPDATE' | 'DELETE', kind: Token['kind']): Permission {
  if (kind === 'client') return `${verb}_CLIENT_API_TOKEN`;
  return kind === 'frontend' ? `${verb}_FRONTEND_API_TOKEN` : 'ADMIN';
}

/**
 * Creates an SDK token. Only this reply shows the secret of a client token.
 * @throws ApiError 404 that names the unknown environment and projects; 400 for one token too many.
 */
export function createApiToken(request: Request, actor: Actor, input: NewApiToken): Promise<Versioned<ApiToken>> {
  return createToken(request, actor, input, (projects) => loadPlaces(request, projects));
}

/**
 * Requires that the caller is a member of the private projects of a token, and makes that a condition of the transaction: a former
 * member would keep the token.
 * @throws ApiError 404 for a project that has become private since the request began.
 */
export async function requireMembership(request: Request, caller: Caller, projects: readonly string[]): Promise<void> {
  const all = await loadPrivateProjects(request);
  const privateOnes = projects.includes(allProjects) ? [...all] : projects.filter((project) => all.has(project));
  for (const project of filterVisibleProjects(request, privateOnes))
    if (!caller.belongsTo(project)) throw notFound('project', project);
}

/** @param load loads the places, and throws if a project has too many tokens. */
function createToken(
  request: Request,
  actor: Actor,
  input: NewApiToken,
  load: (projects: readonly string[]) => Promise<Places>,
): Promise<Versioned<ApiToken>> {
  const normalized = {
    ...input,
    projects: normalizeProjects(input.projects),
    isReadable: input.kind === 'frontend' || keepsClientSecrets(),
  };
  const secret = makeSecret(normalized);
  return change(request, actor, {
    items: [],
    read: () => load(normalized.projects),
    revisionOf: () => undefined,
    decide: (places, at) => {
      assertPlacesExist(normalized, places);
      assertSeesAll(request, normalized);
      assertTokensFit(places);
      const token = buildToken(secret, normalized, at);
      const { writes, events, version } = buildTokenCreation(token);
      return {
        writes: [...buildPlaceChecks(normalized), ...writes],
        events,
        result: { value: { ...toApiToken(token, normalized), secret }, version },
      };
    },
  });
}

/**
 * Creates an SDK token for one project.
 * @throws ApiError 404 for an unknown project, and for `*`; 400 if the project has a tenth of all tokens that there may be.
 */
export async function createProjectApiToken(
  request: Request,
  actor: Actor,
  input: Omit<NewApiToken, 'projects'>,
  project: string,
): Promise<Versioned<ApiToken>> {
  if (project === allProjects) throw notFound('project', allProjects);
  return createToken(request, actor, { ...input, projects: [project] }, async (projects) => {
    const places = await loadPlaces(request, projects);
    const max = readProjectApiTokensLimit();
    // If all projects together have fewer, so has this one.
    if (countOf(places) < max) return places;
    const own = (await loadTokens(request)).filter((token) => scopeOf(token)?.projects.join() === project).length;
    assertRoom(own, max, 'API tokens for one project alone (a tenth of API_TOKENS_LIMIT)');
    return places;
  });
}

/** Returns the number of API tokens, which environments count. */
function countOf({ environments }: Pick<Places, 'environments'>): number {
  return environments.reduce((sum, { apiTokenCount }) => sum + apiTokenCount, 0);
}

/** Converts the body of a request. */
export function toNewApiToken(
  { type, tokenName, username = '', environment = 'development', expiresAt }: ProjectApiTokenInput,
  projects: readonly string[],
): NewApiToken {
  const expiry = expiresAt ? { expiresAt: new Date(expiresAt) } : {};
  return { ...kindOfType(type), name: tokenName ?? username, projects, environment, ...expiry };
}

/** Returns the kind of a type, and the type itself if it is a synonym. */
export function kindOfType(type: ProjectApiTokenInput['type']): Pick<NewApiToken, 'kind' | 'type'> {
  return type === 'backend' ? { kind: 'client', type } : { kind: type };
}

/** Removes duplicates, and all other projects if `*` is among them. */
export function normalizeProjects(projects: readonly string[]): string[] {
  return projects.includes(allProjects) ? [allProjects] : [...new Set(projects)];
}

/** The most projects of a token whose existence is a condition of the transaction, which has room for 100 writes. */
const checkedProjectsMax = 90;

/** Builds the conditions that the environment and the projects of a token exist. */
export function buildPlaceChecks({ projects, environment }: TokenScope): Write[] {
  return [
    buildExistenceCheck('environment', environment, environments.keyOf(environment)),
    ...projects
      .filter((project) => project !== allProjects)
      .slice(0, checkedProjectsMax)
      .flatMap(buildProjectCheck),
  ];
}

/** All environments, and the existing projects of a token. */
export type Places = Awaited<ReturnType<typeof loadPlaces>>;

/** Loads all environments, and those of the projects that exist. */
export async function loadPlaces(request: Request, projects: readonly string[]) {
  const [environments, existing] = await Promise.all([
    listEnvironments(request),
    projectEntity.findSome(request, projects.filter(isName)),
  ]);
  return { environments, projects: new Set([allProjects, ...existing.keys()]) };
}

/** @throws ApiError 404 that names the unknown environment and projects. */
export function assertPlacesExist({ projects, environment }: TokenScope, places: Places): void {
  const problems: ErrorDetail[] = [
    ...(places.environments.some(({ name }) => name === environment)
      ? []
      : [{ message: `There is no environment "${environment}".`, path: 'environment' }]),
    ...projects
      .filter((project) => !places.projects.has(project))
      .map((project) => ({ message: `There is no project "${project}".` })),
  ];
  const [first] = problems;
  if (first !== undefined) throw new ApiError('NotFoundError', first.message, problems);
}

/** @throws ApiError 400 for one token too many. */
export function assertTokensFit(places: Places): void {
  assertRoom(countOf(places), readApiTokensLimit(), 'API tokens');
}

/** @throws ApiError 403 for a token of all projects if some are hidden from the caller. */
function assertSeesAll(request: Request, { projects }: TokenScope): void {
  if (seesAllProjects(request) || !projects.includes(allProjects)) return;
  throw new ApiError(
    'NoAccessError',
    'A token for all projects would read projects that you do not belong to; name its projects.',
  );
}

/** Lists the tokens that a caller may read, by kind and project, oldest first. */
export async function listApiTokens(request: Request, caller: Caller): Promise<ApiToken[]> {
  const all = (await loadTokens(request)).filter(
    ({ kind }) => !isPersonal(kind) && caller.may(tokenPermissionOf('READ', kind)),
  );
  return all.filter((token) => isVisibleIn(request, projectsOf(token))).map(buildTokenView(request, caller));
}

/**
 * Lists the SDK tokens that name a project, alone or among others.
 * @throws ApiError 404 for an unknown project.
 */
export async function listProjectApiTokens(request: Request, caller: Caller, project: string): Promise<ApiToken[]> {
  return (await loadProjectTokens(request, project)).map(buildTokenView(request, caller));
}

/**
 * Loads the tokens of `listProjectApiTokens`.
 * @throws ApiError 404 for an unknown project.
 */
export async function loadProjectTokens(request: Request, project: string): Promise<Token[]> {
  const [all] = await Promise.all([loadTokens(request), loadProject(request, project)]);
  return project === allProjects ? [] : all.filter((token) => scopeOf(token)?.projects.includes(project));
}

/**
 * Changes when a token expires; undefined for never.
 * @param identifier its secret, its id, or its mask in a list.
 * @throws ApiError 404 for an unknown token; 403 if the caller may not; 412 if `If-Match` does not match.
 */
export function updateApiToken(request: Request, caller: Caller, identifier: string, expiresAt: Date | undefined) {
  const authorOf = ({ value }: Versioned<Token>) =>
    requirePermission(caller, [tokenPermissionOf('UPDATE', value.kind)]);
  return change(request, authorOf, {
    items: [],
    read: async () => {
      const token = await loadApiToken(request, identifier);
      await requireMembership(request, caller, projectsOf(token.value));
      return token;
    },
    revisionOf: (before) => before,
    decide: (before) => {
      assertSeesAllOf(request, before.value);
      const { expiresAt: _at, expiresAtSeconds: _seconds, ...token } = before.value;
      const effects = tokens.buildUpdateEffects(before, { ...token, ...buildExpiry(token.kind, expiresAt) });
      return { ...effects, result: versionAfter(before, effects) };
    },
  });
}

/**
 * Removes a token; processes that know it trust it for a few more seconds (`identityTrustMs`).
 * @param identifier its secret, its id, or its mask in a list.
 * @throws ApiError 404 for an unknown token; 403 if the caller may not; 412 if `If-Match` does not match.
 */
export async function deleteApiToken(request: Request, caller: Caller, identifier: string): Promise<void> {
  await removeToken(
    request,
    ({ value }: Versioned<Token>) => requirePermission(caller, [tokenPermissionOf('DELETE', value.kind)]),
    () => loadApiToken(request, identifier),
    (token) => assertSeesAllOf(request, token),
  );
}

/**
 * Removes a token of a project.
 * @throws ApiError 404 if the project has no such token; 400 if the token is for other projects, too.
 */
export async function deleteProjectApiToken(request: Request, actor: Actor, project: string, identifier: string) {
  await removeToken(
    request,
    actor,
    () => loadApiToken(request, identifier),
    (token) => {
      const { projects = [] } = scopeOf(token) ?? {};
      if (!projects.includes(project) || project === allProjects) throw unknownToken();
      if (projects.length > 1) {
        const names = filterVisibleProjects(request, projects).join(', ');
        throw invalid(`This token is for several projects: ${names}. Delete it at /api/admin/api-tokens.`);
      }
    },
  );
}

/** Finds a token by its secret, by its id, or by the mask that a list shows in place of its secret. */
async function loadApiToken(request: Request, identifier: string): Promise<Versioned<Token>> {
  const id = parseTokenId(identifier);
  const [bySecret, byId] = await Promise.all([
    formOf(identifier) && tokens.find(request, hashOf(identifier)),
    id && findTokenById(request, id),
  ]);
  const token = bySecret || byId;
  // Only its owner deletes a personal token.
  if (!token || isPersonal(token.value.kind) || !isVisibleIn(request, projectsOf(token.value))) throw unknownToken();
  return token;
}

function projectsOf(token: Token): readonly string[] {
  return scopeOf(token)?.projects ?? [];
}

/** @throws ApiError 403 for a token that reads a project which is hidden from the caller. */
function assertSeesAllOf(request: Request, token: Token): void {
  if (seesAllOf(request, projectsOf(token))) return;
  throw new ApiError('NoAccessError', 'This token is also for projects that you do not belong to.');
}

/** Tells whether the caller sees all projects that a token reads. */
function seesAllOf(request: Request, projects: readonly string[]): boolean {
  return projects.includes(allProjects) ? seesAllProjects(request) : canSeeAll(request, projects);
}

/** The error does not repeat the input, which may be a mistyped secret. */
function unknownToken(): ApiError {
  return new ApiError('NotFoundError', 'There is no such token.');
}

/**
 * Builds the view of tokens for a caller: without projects that are hidden from them. They see a stored secret only if they could
 * create such a token, so that it gives them no further rights.
 */
function buildTokenView(request: Request, caller: Caller): (token: Token) => ApiToken {
  return (token) => {
    const scope = scopeOf(token) ?? adminScope;
    const projects = filterVisibleProjects(request, scope.projects);
    const view = toApiToken(token, { ...scope, projects });
    return mayCreateAlike(request, caller, token, scope) ? view : { ...view, secret: maskOf(token), secure: true };
  };
}

/** Tells whether a caller could create a token for the same projects: by a permission for all, or for each of them. */
function mayCreateAlike(request: Request, caller: Caller, { kind }: Token, { projects }: TokenScope): boolean {
  const mayIn = (project: string) =>
    caller.may('CREATE_PROJECT_API_TOKEN', project === allProjects ? undefined : project);
  return seesAllOf(request, projects) && (caller.may(tokenPermissionOf('CREATE', kind)) || projects.every(mayIn));
}

function toApiToken(token: Token, { projects, environment }: TokenScope): ApiToken {
  const { kind, type = kind, name, createdAt, expiresAt = null, seenAt = null } = token;
  const readable = readableSecretOf(token);
  return {
    secret: readable ?? maskOf(token),
    tokenName: name,
    type: isPersonal(type) ? 'admin' : type,
    environment,
    project: projects.join(),
    projects: [...projects],
    createdAt,
    expiresAt,
    seenAt,
    alias: null,
    secure: readable === undefined,
  };
}
