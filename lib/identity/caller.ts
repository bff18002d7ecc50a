import { ApiError, joinNames, notFound } from '../errors.ts';
import type { Author, PermissionProof } from '../events/actor.ts';
import type { Agent } from '../events/agent-schema.ts';
import type { Request } from '../request.ts';
import { rightsConditionOf } from '../store/transactions/authority.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import type { RightsCondition } from '../store/transactions/write.ts';
import type { Moment } from '../values/time.ts';
import { type Account, isServiceAccount, loadAccounts } from './accounts.ts';
import { groups } from './groups.ts';
import { forget, recallThroughOutage, remember, rememberThroughOutage } from './identity-memory.ts';
import {
  allows,
  buildRights,
  isKeptFromAgents,
  isMember,
  type Permission,
  type Rights,
  type RolePermission,
} from './permissions.ts';
import { loadRoleRights } from './roles.ts';
import { formOf, hashOf } from './tokens/token.ts';
import { descriptionOf, findUnstoredToken, personalIdOf, type Token, tokens } from './tokens/tokens.ts';
import { authorNameOf, serviceAccounts, users } from './users.ts';

/** The authenticated sender of a request, with their rights. */
export interface Caller extends Author {
  readonly rights: Rights;
  /** Expiry of the token; missing for a session, and for a token that never expires. */
  readonly tokenExpiresAt?: string;
  /** The user who made the token, if they are not its user. */
  readonly tokenMadeBy?: number;
  /** Hash of an admin token. It acts as no person, so its rights end with it. */
  readonly tokenHash?: string;
  /**
   * Tells whether the caller has a permission; one of projects or environments needs the place. If it answers yes, this right
   * becomes a condition of every transaction of the request that changes access rights.
   */
  may(permission: Permission, project?: string, environment?: string): boolean;
  /** Tells whether the caller is a member of a project. A yes becomes a condition, too. Others must not see a private one. */
  belongsTo(project: string): boolean;
}

/** Id that Unleash gives to the holder of an admin token. */
const adminTokenUserId = -42;

/**
 * Finds the token of a secret, unless it has expired.
 * @param throughOutage true to trust a token that this process knows while the store is unreachable.
 */
export async function identify(
  request: Request,
  secret: string | undefined,
  { throughOutage = false }: { readonly throughOutage?: boolean } = {},
): Promise<Token | undefined> {
  if (secret === undefined || formOf(secret) === undefined) return undefined;
  return identifyByHash(request, hashOf(secret), { throughOutage });
}

/** Finds the token with a hash, as `identify` does. */
export async function identifyByHash(
  request: Request,
  hash: string,
  { throughOutage }: { readonly throughOutage: boolean },
): Promise<Token | undefined> {
  const find = () => findToken(request, hash);
  const token = await (throughOutage ? rememberThroughOutage : remember)(request, hash, find);
  return token === undefined || hasExpired(token) ? undefined : token;
}

async function findToken(request: Request, hash: string): Promise<Token | undefined> {
  const unstored = findUnstoredToken(hash);
  return unstored === undefined ? (await tokens.find(request, hash))?.value : unstored.find(request);
}

/** Tells whether `identify` would find a token without asking the store, in an outage, too. */
export function isStillKnown(request: Request, { hash }: Token, at: Moment): boolean {
  const token = recallThroughOutage<Token>(request, hash, at);
  return token !== undefined && !hasExpired(token);
}

/** Tells whether a token has expired. */
export function hasExpired({ expiresAt }: Pick<Token, 'expiresAt'>): boolean {
  return expiresAt !== undefined && Date.parse(expiresAt) <= Date.now();
}

/** Returns the id of the user that a token acts as, for logs and events; undefined for SDKs, which act as no user. */
export function userIdOf({ kind, userId }: Pick<Token, 'kind' | 'userId'>): number | undefined {
  return kind === 'admin' ? adminTokenUserId : userId;
}

/** The user that a token acts as, with their rights and where these come from. */
export interface Holder {
  readonly actor: Author;
  readonly rights: Rights;
  readonly sources: readonly RightsSource[];
}

/** A role of an account. Its conditions are that the account, the group that gives the role, and the role stay the same. */
export interface RightsSource {
  /** Missing for a root role. */
  readonly project?: string | undefined;
  readonly permissions: readonly RolePermission[];
  readonly conditions: readonly RightsCondition[];
}

/** Merges the rights of several roles. */
export function mergeRights(sources: readonly RightsSource[]): Rights {
  return buildRights(
    sources.flatMap(({ project, permissions }) => (project === undefined ? [permissions] : [])),
    sources.flatMap(({ project, permissions }) => (project === undefined ? [] : [[project, permissions] as const])),
  );
}

const adminTokenSources: readonly RightsSource[] = [{ permissions: [{ name: 'ADMIN' }], conditions: [] }];

/** The part of a token that says whom it acts as. */
export type ActingAs = Pick<Token, 'kind' | 'name' | 'userId' | 'expiresAt' | 'madeBy'>;

/** Loads the user that a token acts as; undefined if the user is gone. Rights may be `identityTrustMs` old. */
export async function loadHolder(request: Request, { kind, name, userId }: ActingAs): Promise<Holder | undefined> {
  if (kind === 'admin') {
    return {
      actor: { id: adminTokenUserId, name },
      rights: mergeRights(adminTokenSources),
      sources: adminTokenSources,
    };
  }
  return userId === undefined ? undefined : remember(request, memoryIdOf(userId), () => readHolder(request, userId));
}

/** Somebody who has decided something that is carried out later: a user, or an admin token. */
export interface Decider extends Author {
  /** Hash of the admin token; missing in older decisions. */
  readonly tokenHash?: string;
}

/** Loads the present rights of somebody who has decided something; undefined if the user, or the token, is gone. */
export async function loadDecider(request: Request, { id, name, tokenHash }: Decider): Promise<Holder | undefined> {
  if (id > 0) return loadHolder(request, { kind: 'user', name, userId: id });
  const token = tokenHash === undefined ? undefined : await findToken(request, tokenHash);
  const isGone = tokenHash !== undefined && (token === undefined || hasExpired(token));
  return isGone ? undefined : loadHolder(request, { kind: 'admin', name });
}

/** Loads the user that a token acts as, as a caller. */
export async function loadCaller(request: Request, token: ActingAs): Promise<Caller | undefined> {
  const holder = await loadHolder(request, token);
  return holder && buildCaller(holder, token);
}

/** A right that a request has used, and the error for a caller who has lost it. */
export interface UsedRight {
  /** The same for the same right. */
  readonly id: string;
  readonly holds: (rights: Rights) => boolean;
  readonly refusal: () => ApiError;
}

/** Builds conditions that suffice for a holder to have some rights: for each, those of the first role that gives it. */
export function buildRightsConditions(
  { sources }: Pick<Holder, 'sources'>,
  used: Iterable<UsedRight>,
): RightsCondition[] {
  return [...used].flatMap(({ holds }) => sources.find((source) => holds(mergeRights([source])))?.conditions ?? []);
}

/**
 * Builds the caller from the user that a token acts as.
 * @param noteUse receives each right that the caller was asked for and has.
 */
export function buildCaller(
  { actor, rights }: Holder,
  token: Partial<Token>,
  noteUse: (right: UsedRight) => void = () => {},
): Caller {
  const { kind, hash, expiresAt, madeBy } = token;
  const agent = agentOf(token);
  const use = (right: UsedRight) => {
    const hasRight = right.holds(rights);
    if (hasRight) noteUse(right);
    return hasRight;
  };
  return {
    ...actor,
    rights,
    ...(expiresAt !== undefined && { tokenExpiresAt: expiresAt }),
    ...(madeBy !== undefined && { tokenMadeBy: madeBy }),
    ...(agent && { agent }),
    ...(kind === 'admin' && hash !== undefined && { tokenHash: hash }),
    may: (...permission) =>
      use({
        id: JSON.stringify(permission),
        holds: (current) => !(agent && isKeptFromAgents(permission[0])) && allows(current, ...permission),
        refusal: () => permissionMissing([permission[0]]),
      }),
    belongsTo: (project) =>
      use({
        id: `in ${project}`,
        holds: (current) => isMember(current, project),
        refusal: () => notFound('project', project),
      }),
  };
}

/** Returns the agent that has a token; undefined for the token of anybody else. */
function agentOf({ kind, hash = '', name = '', ...token }: Partial<Token>): Agent | undefined {
  if (kind !== 'agent') return undefined;
  return { token: personalIdOf({ hash, ...token }), name: descriptionOf({ name, ...token }) };
}

/** Returns the error for a caller whose token may only propose changes, and who tries anything else. */
export function onlyProposalsAllowed(): ApiError {
  const message =
    'This token may only read and propose changes; make a change request, which a person can approve and apply.';
  return new ApiError('NoAccessError', message);
}

const memoryIdOf = (userId: number) => `user ${userId}`;

/** Forgets the rights of a user who was changed or deleted; other processes notice within `identityTrustMs`. */
export function forgetUser(request: Request, userId: number): void {
  forget(request, memoryIdOf(userId));
}

/** Reads a user and their rights from the store, not from memory; undefined if they are gone or deactivated. */
export async function readHolder(request: Request, userId: number): Promise<Holder | undefined> {
  const account = (await loadAccounts(request, [userId])).get(userId);
  if (account === undefined || account.value.isDeactivated) return undefined;
  const sources = await loadRightsSources(request, account);
  const { name: fullName } = account.value;
  const actor = { id: userId, name: authorNameOf(account.value), ...(fullName && { fullName }) };
  return { actor, rights: mergeRights(sources), sources };
}

/** Loads the roles of an account and its groups. A membership of a project without a role is a source without rights. */
export async function loadRightsSources(request: Request, account: Versioned<Account>): Promise<RightsSource[]> {
  const { id } = account.value;
  const key = isServiceAccount(account.value) ? serviceAccounts.keyOf(id) : users.keyOf(id);
  const ofAccount = rightsConditionOf(key, account);
  const memberships = await groups.findSomeVersioned(request, account.value.groups);
  const holders = [
    { holder: account.value, conditions: [ofAccount] },
    ...[...memberships.values()].map((group) => ({
      holder: group.value,
      conditions: [ofAccount, rightsConditionOf(groups.keyOf(group.value.id), group)],
    })),
  ];
  const assignments = holders.flatMap(({ holder: { rootRole, projectRoles }, conditions }) => [
    ...(rootRole === undefined ? [] : [{ role: rootRole, project: undefined, conditions }]),
    ...projectRoles.flatMap(({ project, roles }) =>
      (roles.length === 0 ? [undefined] : roles).map((role) => ({ role, project, conditions })),
    ),
  ]);
  const rightsOfRole = await loadRoleRights(
    request,
    assignments.flatMap(({ role }) => role ?? []),
  );
  return assignments.map(({ role, project, conditions }) => {
    const rights = role === undefined ? undefined : rightsOfRole(role);
    return {
      project,
      permissions: rights?.permissions ?? [],
      conditions: [...conditions, ...(rights?.conditions ?? [])],
    };
  });
}

/** A caller who has a permission that the request needs. */
export type PermittedCaller = Caller & PermissionProof;

/**
 * Returns the caller as one who may make a change.
 * @throws ApiError 403 that names the permissions, of which any one would do.
 */
export function requirePermission(
  caller: Caller,
  anyOf: readonly Permission[],
  project?: string,
  environment?: string,
): PermittedCaller {
  if (anyOf.some((permission) => caller.may(permission, project, environment))) return caller as PermittedCaller;
  throw permissionMissing(anyOf);
}

/** A permission that a request needs, and where; of several, any one is enough. */
export interface NeededPermission {
  readonly permission: Permission | readonly Permission[];
  /** Missing for a permission that holds everywhere. */
  readonly project?: string | undefined;
  /** Missing for a permission of projects. */
  readonly environment?: string | undefined;
}

/**
 * Requires that a caller has all permissions that a request needs.
 * @throws ApiError 403 that names all missing ones.
 */
export function assertMayAll(caller: Caller, needed: readonly NeededPermission[]): void {
  const missing = needed.filter(
    ({ permission, project, environment }) =>
      ![permission].flat().some((anyOf) => caller.may(anyOf, project, environment)),
  );
  if (missing.length > 0) throw permissionsMissing(missing);
}

function permissionMissing(anyOf: readonly Permission[]): ApiError {
  return permissionsMissing([{ permission: anyOf }]);
}

function permissionsMissing(missing: readonly NeededPermission[]): ApiError {
  // One permission is named without its environments, as for a project that the caller must not know of.
  const isOne = new Set(missing.map(({ permission }) => String(permission))).size === 1;
  const names = missing.map(
    ({ permission, environment }) =>
      [permission]
        .flat()
        .map((name) => `"${name}"`)
        .join(' or ') + (environment === undefined || isOne ? '' : ` in the environment "${environment}"`),
  );
  const different = [...new Set(names)];
  const noun = different.length > 1 ? 'permissions' : 'permission';
  return new ApiError('NoAccessError', `You need the ${noun} ${joinNames(different)} to do this.`);
}

/** Returns a project in which the caller has a permission; undefined if there is none. */
export function findProjectWith({ rights, may }: Caller, permission: Permission): string | undefined {
  return [...rights.projects.keys()].find((project) => may(permission, project));
}
