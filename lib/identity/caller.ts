import { ApiError, joinNames, notFound } from '../errors.ts';
import type { Author, Proof } from '../events/actor.ts';
import type { Request } from '../request.ts';
import { type Standing, standingOf } from '../store/transactions/authority.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import type { Moment } from '../values/moment.ts';
import { type Account, isServiceAccount, someAccounts } from './accounts.ts';
import { groups } from './groups.ts';
import { forget, remember, rememberThroughOutage, trustedThroughOutage } from './identity-memory.ts';
import { allows, isMember, type Permission, type Rights, type RolePermission, rightsOf } from './permissions.ts';
import { loadRoleRights } from './roles.ts';
import { formOf, hashOf } from './tokens/token.ts';
import { type Token, tokens } from './tokens/tokens.ts';
import { unstoredToken } from './tokens/unstored-tokens.ts';
import { serviceAccounts, signatureOf, users } from './users.ts';

/** Authenticated author of a request, with their rights. */
export interface Caller extends Author {
  readonly rights: Rights;
  /** Expiry of the token used; missing if it never expires, and for a session. */
  readonly tokenExpiresAt?: string;
  /** The user who made the token used, where they are somebody else. */
  readonly tokenMadeBy?: number;
  /** Hash of the token used, where it acts as no person: the right that it gives ends with it. */
  readonly tokenHash?: string;
  /**
   * Tells whether the caller has a permission: in a project and an environment, if it is one of projects or
   * environments. Each right that it affirms becomes a condition of every transaction of the request that changes
   * access rights.
   */
  may(permission: Permission, project?: string, environment?: string): boolean;
  /** Tells whether the caller belongs to a project, as they must to know of a private one. It becomes a condition, too. */
  belongsTo(project: string): boolean;
}

/** Id that Unleash gives to the holder of an admin token. */
const adminTokenUserId = -42;

/**
 * Returns the token that a secret stands for, if it is known and has not expired.
 * @param throughOutage true to go on trusting a token known here while the store is unreachable.
 */
export async function identify(
  request: Request,
  secret: string | undefined,
  { throughOutage = false }: { readonly throughOutage?: boolean } = {},
): Promise<Token | undefined> {
  if (secret === undefined || formOf(secret) === undefined) return undefined;
  const hash = hashOf(secret);
  const find = () => findToken(request, hash);
  const token = await (throughOutage ? rememberThroughOutage : remember)(request, hash, find);
  return token === undefined || hasExpired(token) ? undefined : token;
}

async function findToken(request: Request, hash: string): Promise<Token | undefined> {
  const unstored = unstoredToken(hash);
  return unstored === undefined ? (await tokens.find(request, hash))?.value : unstored.find(request);
}

/** Tells whether `identify` would find a token, even in an outage, without asking the store. */
export function isStillKnown(request: Request, { hash }: Token, at: Moment): boolean {
  const token = trustedThroughOutage<Token>(request, hash, at);
  return token !== undefined && !hasExpired(token);
}

/** Tells whether a token has expired. */
export function hasExpired({ expiresAt }: Pick<Token, 'expiresAt'>): boolean {
  return expiresAt !== undefined && Date.parse(expiresAt) <= Date.now();
}

/** Returns the user that a token acts as, for the log and for events; undefined for SDKs, which act as no user. */
export function userIdOf({ kind, userId }: Pick<Token, 'kind' | 'userId'>): number | undefined {
  return kind === 'admin' ? adminTokenUserId : userId;
}

/** User that a token acts as, with their rights and the roles behind them. */
export interface Holder {
  readonly actor: Author;
  readonly rights: Rights;
  readonly sources: readonly RightsSource[];
}

/** A role that an account has, and the items that say so: the account, the group through which it has it, the role. */
export interface RightsSource {
  /** Project in which the role holds; missing for a root role. */
  readonly project?: string | undefined;
  readonly permissions: readonly RolePermission[];
  readonly standing: readonly Standing[];
}

/** Merges the rights of the sources. */
export function rightsFrom(sources: readonly RightsSource[]): Rights {
  return rightsOf(
    sources.flatMap(({ project, permissions }) => (project === undefined ? [permissions] : [])),
    sources.flatMap(({ project, permissions }) => (project === undefined ? [] : [[project, permissions] as const])),
  );
}

/** The rights of a token for administration. */
const everyRight: readonly RightsSource[] = [{ permissions: [{ name: 'ADMIN' }], standing: [] }];

/** The part of a token that says whom it acts as, and until when. */
export type ActingAs = Pick<Token, 'kind' | 'name' | 'userId' | 'expiresAt' | 'madeBy'>;

/** Returns the user that a token acts as, with all rights; undefined if the user is gone. */
export async function holderOf(request: Request, { kind, name, userId }: ActingAs): Promise<Holder | undefined> {
  if (kind === 'admin') {
    return { actor: { id: adminTokenUserId, name }, rights: rightsFrom(everyRight), sources: everyRight };
  }
  return userId === undefined ? undefined : remember(request, memoryIdOf(userId), () => loadHolder(request, userId));
}

/** Somebody who has decided something for later: a user, or a token that acts as none. */
export interface Decider extends Author {
  /** Hash of that token; missing for users, and where it was not noted. */
  readonly tokenHash?: string;
}

/** Returns somebody with the rights that they have by now; undefined if the user, or the token, is gone. */
export async function deciderOf(request: Request, { id, name, tokenHash }: Decider): Promise<Holder | undefined> {
  if (id > 0) return holderOf(request, { kind: 'user', name, userId: id });
  const token = tokenHash === undefined ? undefined : await findToken(request, tokenHash);
  const isGone = tokenHash !== undefined && (token === undefined || hasExpired(token));
  return isGone ? undefined : holderOf(request, { kind: 'admin', name });
}

/** Returns the holder of a token as a caller with their rights. */
export async function callerOf(request: Request, token: ActingAs): Promise<Caller | undefined> {
  const holder = await holderOf(request, token);
  return holder && callerFrom(holder, token);
}

/** A fact about the rights of a caller on which a request relies, and the error for when it is none any more. */
export interface Reliance {
  /** The same for the same fact. */
  readonly id: string;
  readonly holds: (rights: Rights) => boolean;
  readonly refusal: () => ApiError;
}

/** Returns conditions that suffice for facts to be ones of the holder. */
export function standingBehind({ sources }: Pick<Holder, 'sources'>, facts: Iterable<Reliance>): Standing[] {
  return [...facts].flatMap(({ holds }) => sources.find((source) => holds(rightsFrom([source])))?.standing ?? []);
}

/** @param noteReliance receives each fact that the caller was asked for and that holds. */
export function callerFrom(
  { actor, rights }: Holder,
  { kind, hash, expiresAt, madeBy }: Partial<Pick<Token, 'kind' | 'hash' | 'expiresAt' | 'madeBy'>>,
  noteReliance: (fact: Reliance) => void = () => {},
): Caller {
  const reliedOn = (fact: Reliance) => {
    const isSo = fact.holds(rights);
    if (isSo) noteReliance(fact);
    return isSo;
  };
  return {
    ...actor,
    rights,
    ...(expiresAt !== undefined && { tokenExpiresAt: expiresAt }),
    ...(madeBy !== undefined && { tokenMadeBy: madeBy }),
    ...(kind === 'admin' && hash !== undefined && { tokenHash: hash }),
    may: (...asked) =>
      reliedOn({
        id: JSON.stringify(asked),
        holds: (held) => allows(held, ...asked),
        refusal: () => lacking([asked[0]]),
      }),
    belongsTo: (project) =>
      reliedOn({
        id: `in ${project}`,
        holds: (held) => isMember(held, project),
        refusal: () => notFound('project', project),
      }),
  };
}

const memoryIdOf = (userId: number) => `user ${userId}`;

/** Takes note that a user was changed or deleted; other processes notice within `identityTrustMs`. */
export function forgetUser(request: Request, userId: number): void {
  forget(request, memoryIdOf(userId));
}

/** Reads the user of an id with their rights as they are now, whatever is remembered; undefined if they are gone. */
export async function loadHolder(request: Request, userId: number): Promise<Holder | undefined> {
  const account = (await someAccounts(request, [userId])).get(userId);
  if (account === undefined) return undefined;
  const sources = await loadRightsSources(request, account);
  return { actor: { id: userId, name: signatureOf(account.value) }, rights: rightsFrom(sources), sources };
}

/**
 * Loads the roles of an account, its own and those of its groups. A project in which it has none is a source without
 * rights.
 */
export async function loadRightsSources(request: Request, account: Versioned<Account>): Promise<RightsSource[]> {
  const { id } = account.value;
  const self = standingOf(isServiceAccount(account.value) ? serviceAccounts.keyOf(id) : users.keyOf(id), account);
  const memberships = await groups.someVersioned(request, account.value.groups);
  const given = [
    { holder: account.value, standing: [self] },
    ...[...memberships.values()].map((group) => ({
      holder: group.value,
      standing: [self, standingOf(groups.keyOf(group.value.id), group)],
    })),
  ].flatMap(({ holder: { rootRole, projectRoles }, standing }) => [
    ...(rootRole === undefined ? [] : [{ role: rootRole, project: undefined, standing }]),
    ...projectRoles.flatMap(({ project, roles }) =>
      (roles.length === 0 ? [undefined] : roles).map((role) => ({ role, project, standing })),
    ),
  ]);
  const roles = given.flatMap(({ role }) => role ?? []);
  const rightsBy = await loadRoleRights(request, roles);
  return given.map(({ role, project, standing }) => {
    const own = role === undefined ? undefined : rightsBy(role);
    return { project, permissions: own?.permissions ?? [], standing: [...standing, ...(own?.standing ?? [])] };
  });
}

/** Caller who was found to have a permission that the request needs. */
export type PermittedCaller = Caller & Proof;

/**
 * Returns the caller as one who may make a change.
 * @throws ApiError 403 that names the permissions of which one would do.
 */
export function permitted(
  caller: Caller,
  anyOf: readonly Permission[],
  project?: string,
  environment?: string,
): PermittedCaller {
  if (anyOf.some((permission) => caller.may(permission, project, environment))) return caller as PermittedCaller;
  throw lacking(anyOf);
}

function lacking(anyOf: readonly Permission[]): ApiError {
  const names = anyOf.map((permission) => `"${permission}"`).join(' or ');
  return new ApiError('NoAccessError', `You need the permission ${names} to do this.`);
}

/** A permission that a change needs, and where. */
export interface NeededPermission {
  readonly permission: Permission;
  readonly project: string;
  /** Missing for a permission of projects. */
  readonly environment?: string | undefined;
}

/**
 * Holds a caller to all permissions that a change needs.
 * @throws ApiError 403 that names all those that the caller lacks.
 */
export function assertMayAll(caller: Caller, needed: readonly NeededPermission[]): void {
  const missing = needed.filter((each) => !caller.may(each.permission, each.project, each.environment));
  if (missing.length === 0) return;
  const names = missing.map(
    ({ permission, environment }) =>
      `"${permission}"${environment === undefined ? '' : ` in the environment "${environment}"`}`,
  );
  const kind = names.length > 1 ? 'permissions' : 'permission';
  throw new ApiError('NoAccessError', `You need the ${kind} ${joinNames(names)} to do this.`);
}

/** Returns a project in which the caller has a permission; undefined where there is none. */
export function projectWith({ rights, may }: Caller, permission: Permission): string | undefined {
  return [...rights.projects.keys()].find((project) => may(permission, project));
}
