import { change } from '../entity/change.ts';
import { mustExist } from '../entity/references.ts';
import { environments, listEnvironments } from '../environments/environments.ts';
import { ApiError, type ErrorDetail, invalid, notFound } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import { loadPrivateProjects } from '../identity/access-flags/access-flags.ts';
import { type Caller, requirePermission } from '../identity/caller.ts';
import type { Permission } from '../identity/permissions.ts';
import { allProjects, formOf, hashOf, makeSecret, parseTokenId, type TokenScope } from '../identity/tokens/token.ts';
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
import * as projectKeys from '../projects/keys.ts';
import { loadProject, projects as projectEntity } from '../projects/projects.ts';
import { canSeeAll, filterVisibleProjects, isVisibleIn, type Request, seesAllProjects } from '../request.ts';
import { type Versioned, versionAfter } from '../store/transactions/versioned.ts';
import type { Write } from '../store/transactions/write.ts';
import { isName } from '../values/primitives.ts';
import type { ApiToken, ProjectApiTokenInput } from './api-token-schema.ts';
import { keepsClientSecrets, readableSecretOf } from './readable-secrets.ts';

/** A token to be made, for an SDK. */
export type NewApiToken = Omit<SdkTokenRequest, 'isReadable' | 'issued'>;

/** Returns the permission to do something with tokens of a kind; admin tokens need ADMIN. */
export function permissionFor(verb: 'CREATE' | 'READ' | 'UPDATE' | 'DELETE', kind: Token['kind']): Permission {
  if (kind === 'client') return `${verb}_CLIENT_API_TOKEN`;
  return kind === 'frontend' ? `${verb}_FRONTEND_API_TOKEN` : 'ADMIN';
}

/**
 * Makes a token for an SDK; the answer is the only one that shows the secret of a client token.
 * @throws ApiError 404 that names the environment and the projects which do not exist; 400 if there are too many
 * tokens.
 */
export function createApiToken(request: Request, actor: Actor, wanted: NewApiToken): Promise<Versioned<ApiToken>> {
  return create(request, actor, wanted, (projects) => loadPlaces(request, projects));
}

/**
 * Makes it a condition of the request that the caller goes on belonging to the private projects that a token reads: the
 * token would stay with those who do not.
 * @throws ApiError 404 for a project that has become private since the request has come.
 */
export async function relyOnSeeing(request: Request, caller: Caller, projects: readonly string[]): Promise<void> {
  const all = await loadPrivateProjects(request);
  const read = projects.includes(allProjects) ? [...all] : projects.filter((project) => all.has(project));
  for (const project of filterVisibleProjects(request, read))
    if (!caller.belongsTo(project)) throw notFound('project', project);
}

/** @param load reads the places, and refuses if they have no room. */
function create(
  request: Request,
  actor: Actor,
  wanted: NewApiToken,
  load: (projects: readonly string[]) => Promise<Places>,
): Promise<Versioned<ApiToken>> {
  const whole = {
    ...wanted,
    projects: distinct(wanted.projects),
    isReadable: wanted.kind === 'frontend' || keepsClientSecrets(),
  };
  const secret = makeSecret(whole);
  return change(request, actor, {
    of: [],
    read: () => load(whole.projects),
    revisionOf: () => undefined,
    decide: (places, at) => {
      assertKnown(whole, places);
      assertSeesAll(request, whole);
      assertTokensFit(places);
      const token = buildToken(secret, whole, at);
      const { writes, events, version } = buildTokenCreation(token);
      return {
        writes: [...placesAreThere(whole), ...writes],
        events,
        result: { value: { ...view(token, whole), secret }, version },
      };
    },
  });
}

/**
 * Creates a token as `createApiToken` does, for one project by its own name.
 * @throws ApiError 404 for an unknown project; `*` is none. 400 if it has its share of the tokens that there may be, so
 * that one project does not use up those of all.
 */
export async function createProjectApiToken(
  request: Request,
  actor: Actor,
  wanted: Omit<NewApiToken, 'projects'>,
  project: string,
): Promise<Versioned<ApiToken>> {
  if (project === allProjects) throw notFound('project', allProjects);
  return create(request, actor, { ...wanted, projects: [project] }, async (projects) => {
    const places = await loadPlaces(request, projects);
    const max = readProjectApiTokensLimit();
    // While there are fewer in all projects, those of this one need no counting.
    if (countOf(places) < max) return places;
    const own = (await loadTokens(request)).filter((token) => scopeOf(token)?.projects.join() === project).length;
    assertRoom(own, max, 'API tokens for one project alone (a tenth of API_TOKENS_LIMIT)');
    return places;
  });
}

/** Returns the number of API tokens, as the environments count them. */
function countOf({ environments }: Pick<Places, 'environments'>): number {
  return environments.reduce((sum, { apiTokenCount }) => sum + apiTokenCount, 0);
}

/** Makes the requested token. */
export function newApiTokenOf(
  { type, tokenName, username = '', environment = 'development', expiresAt }: ProjectApiTokenInput,
  projects: readonly string[],
): NewApiToken {
  const expiry = expiresAt ? { expiresAt: new Date(expiresAt) } : {};
  return { ...kindOf(type), name: tokenName ?? username, projects, environment, ...expiry };
}

/** Returns the kind of token that a type stands for, with the type itself if it is a synonym. */
export function kindOf(type: ProjectApiTokenInput['type']): Pick<NewApiToken, 'kind' | 'type'> {
  return type === 'backend' ? { kind: 'client', type } : { kind: type };
}

/** Removes duplicates; `*` makes all other projects superfluous. */
export function distinct(projects: readonly string[]): string[] {
  return projects.includes(allProjects) ? [allProjects] : [...new Set(projects)];
}

/** Most projects of a token that a transaction checks not to be under deletion. */
const projectsChecked = 90;

/** Returns the conditions that the project and the environment of a token still exist; a 404 otherwise. */
export function placesAreThere({ projects, environment }: TokenScope): Write[] {
  return [
    mustExist('environment', environment, environments.keyOf(environment)),
    ...projects
      .filter((project) => project !== allProjects)
      .slice(0, projectsChecked)
      .map((project) => mustExist('project', project, projectKeys.project(project))),
  ];
}

/** Environments with their counts, and projects. */
export type Places = Awaited<ReturnType<typeof loadPlaces>>;

/** Loads the environments, and those of the projects that exist. */
export async function loadPlaces(request: Request, projects: readonly string[]) {
  const [environments, known] = await Promise.all([
    listEnvironments(request),
    projectEntity.some(request, projects.filter(isName)),
  ]);
  return { environments, projects: new Set([allProjects, ...known.keys()]) };
}

/** @throws ApiError 404 that names every place which does not exist. */
export function assertKnown({ projects, environment }: TokenScope, places: Places): void {
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

/** @throws ApiError 400 if there are as many tokens as there may be. */
export function assertTokensFit(places: Places): void {
  assertRoom(countOf(places), readApiTokensLimit(), 'API tokens');
}

/** @throws ApiError 403 for a token that reads projects which the caller must not see. */
function assertSeesAll(request: Request, { projects }: TokenScope): void {
  if (seesAllProjects(request) || !projects.includes(allProjects)) return;
  throw new ApiError(
    'NoAccessError',
    'A token for all projects would read projects that you do not belong to; name its projects.',
  );
}

/** Lists the tokens of the kinds that a caller may read, and of which they see a project, oldest first. */
export async function listApiTokens(request: Request, caller: Caller): Promise<ApiToken[]> {
  const all = (await loadTokens(request)).filter(
    ({ kind }) => kind !== 'user' && caller.may(permissionFor('READ', kind)),
  );
  return all.filter((token) => isVisibleIn(request, projectsOf(token))).map(shownTo(request, caller));
}

/**
 * Lists the tokens of SDKs for a project, including those for several projects, but not those for all.
 * @throws ApiError 404 for an unknown project.
 */
export async function listProjectApiTokens(request: Request, caller: Caller, project: string): Promise<ApiToken[]> {
  return (await loadProjectTokens(request, project)).map(shownTo(request, caller));
}

/**
 * Lists the same tokens as `listProjectApiTokens`, as they are stored.
 * @throws ApiError 404 for an unknown project.
 */
export async function loadProjectTokens(request: Request, project: string): Promise<Token[]> {
  const [all] = await Promise.all([loadTokens(request), loadProject(request, project)]);
  return project === allProjects ? [] : all.filter((token) => scopeOf(token)?.projects.includes(project));
}

/**
 * Changes the expiry of a token; undefined for never.
 * @param named its secret, its id, or its mask in a list.
 * @throws ApiError 404 for an unknown token; 403 if the caller may not; 412 by `If-Match`.
 */
export function updateApiToken(request: Request, caller: Caller, named: string, expiresAt: Date | undefined) {
  const authorOf = ({ value }: Versioned<Token>) => requirePermission(caller, [permissionFor('UPDATE', value.kind)]);
  return change(request, authorOf, {
    of: [],
    read: async () => {
      const found = await loadApiToken(request, named);
      await relyOnSeeing(request, caller, projectsOf(found.value));
      return found;
    },
    revisionOf: (before) => before,
    decide: (before) => {
      assertWhole(request, before.value);
      const { expiresAt: _at, expiresAtSeconds: _seconds, ...token } = before.value;
      const effects = tokens.updated(before, { ...token, ...buildExpiry(token.kind, expiresAt) });
      return { ...effects, result: versionAfter(before, effects) };
    },
  });
}

/**
 * Removes a token. Processes that have seen it lately trust it for a few seconds more (see `identityTrustMs`).
 * @param named its secret, its id, or its mask in a list.
 * @throws ApiError 404 for an unknown token; 403 if the caller may not; 412 by `If-Match`.
 */
export async function deleteApiToken(request: Request, caller: Caller, named: string): Promise<void> {
  await removeToken(
    request,
    ({ value }: Versioned<Token>) => requirePermission(caller, [permissionFor('DELETE', value.kind)]),
    () => loadApiToken(request, named),
    (token) => assertWhole(request, token),
  );
}

/**
 * Removes a token of a project.
 * @throws ApiError 404 if the project has no token of that name; 400 if the token is for other projects as well.
 */
export async function deleteProjectApiToken(request: Request, actor: Actor, project: string, named: string) {
  await removeToken(
    request,
    actor,
    () => loadApiToken(request, named),
    (token) => {
      const { projects = [] } = scopeOf(token) ?? {};
      if (!projects.includes(project) || project === allProjects) throw unknownToken();
      if (projects.length > 1) {
        const named = filterVisibleProjects(request, projects).join(', ');
        throw invalid(
          `This token is for other projects as well: ${named}. Deleting it requires rights in all of them.`,
        );
      }
    },
  );
}

/** Finds a token by its secret, by its id, or by the mask that a list shows in place of its secret. */
async function loadApiToken(request: Request, named: string): Promise<Versioned<Token>> {
  const id = parseTokenId(named);
  const [bySecret, byId] = await Promise.all([
    formOf(named) && tokens.find(request, hashOf(named)),
    id && findTokenById(request, id),
  ]);
  const found = bySecret || byId;
  // Personal tokens are not among these, but of their owners.
  if (!found || found.value.kind === 'user' || !isVisibleIn(request, projectsOf(found.value))) throw unknownToken();
  return found;
}

function projectsOf(token: Token): readonly string[] {
  return scopeOf(token)?.projects ?? [];
}

/** @throws ApiError 403 for a token that reads projects which the caller must not see: named ones, or as one of all. */
function assertWhole(request: Request, token: Token): void {
  if (seesAllOf(request, projectsOf(token))) return;
  throw new ApiError('NoAccessError', 'This token is also for projects that you do not belong to.');
}

/** Tells whether the caller sees all projects that a token reads. */
function seesAllOf(request: Request, projects: readonly string[]): boolean {
  return projects.includes(allProjects) ? seesAllProjects(request) : canSeeAll(request, projects);
}

/** Returns the error for an unknown token. It does not repeat the input, which may be a mistyped secret. */
function unknownToken(): ApiError {
  return new ApiError('NotFoundError', 'There is no such token.');
}

/**
 * Returns the view of a token for a caller: without the projects that they must not see, and with its secret, if that
 * is kept, only if they could make a token for the same themselves: otherwise it would give them more than their own
 * rights do.
 */
function shownTo(request: Request, caller: Caller): (token: Token) => ApiToken {
  return (token) => {
    const scope = scopeOf(token) ?? adminScope;
    const projects = filterVisibleProjects(request, scope.projects);
    const shown = view(token, { ...scope, projects });
    return mayMake(request, caller, token, scope) ? shown : { ...shown, secret: maskOf(token), secure: true };
  };
}

/**
 * Tells whether a caller could create a token for the same projects: with the permission to create any, or in each of
 * them.
 */
function mayMake(request: Request, caller: Caller, { kind }: Token, { projects }: TokenScope): boolean {
  const isMaker = (project: string) =>
    caller.may('CREATE_PROJECT_API_TOKEN', project === allProjects ? undefined : project);
  return seesAllOf(request, projects) && (caller.may(permissionFor('CREATE', kind)) || projects.every(isMaker));
}

function view(token: Token, { projects, environment }: TokenScope): ApiToken {
  const { kind, type = kind, name, createdAt, expiresAt = null, seenAt = null } = token;
  const readable = readableSecretOf(token);
  return {
    secret: readable ?? maskOf(token),
    tokenName: name,
    type: type === 'user' ? 'admin' : type,
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
