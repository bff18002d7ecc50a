import { ApiError } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import type { Table } from '../table/table.ts';
import { findAccount } from './accounts.ts';
import { groups } from './groups.ts';
import { forget, remember, rememberThroughOutage, trustedThroughOutage } from './identity-memory.ts';
import { allows, type Permission, type Rights, rightsOf } from './permissions.ts';
import { loadRolePermissions } from './roles.ts';
import { formOf, hashOf } from './token.ts';
import { type Token, tokens } from './tokens.ts';
import { signatureOf, type User } from './users.ts';

/** Who asks, and what they may do. */
export interface Caller extends Actor {
  readonly rights: Rights;
  /** When the token ends by which they call; missing where it never does, and for a session. */
  readonly tokenExpiresAt?: string;
  /** Whether a permission is theirs: in a project and an environment, where it is one of projects or environments. */
  may(permission: Permission, project?: string, environment?: string): boolean;
}

/** Unleash's id for the holder of an admin token. */
const adminTokenUserId = -42;

/**
 * The token that a secret stands for, if it is known and has not expired.
 * @param throughOutage whether a token that is known here stays good while the store cannot be reached.
 */
export async function identify(
  table: Table,
  secret: string | undefined,
  { throughOutage = false }: { readonly throughOutage?: boolean } = {},
): Promise<Token | undefined> {
  if (secret === undefined || formOf(secret) === undefined) return undefined;
  const hash = hashOf(secret);
  const find = async () => (await tokens.find(table, hash))?.value;
  const token = await (throughOutage ? rememberThroughOutage : remember)(table, hash, find);
  return token === undefined || hasExpired(token) ? undefined : token;
}

/** Whether `identify` would find a token through an outage without asking the store. */
export function isStillKnown(table: Table, { hash }: Token): boolean {
  const token = trustedThroughOutage<Token>(table, hash);
  return token !== undefined && !hasExpired(token);
}

/** Whether the time of a token is over. */
export function hasExpired({ expiresAt }: Pick<Token, 'expiresAt'>): boolean {
  return expiresAt !== undefined && Date.parse(expiresAt) <= Date.now();
}

/** Whom a token acts as, in the log and in events; SDKs act as no user. */
export function userIdOf({ kind, userId }: Pick<Token, 'kind' | 'userId'>): number | undefined {
  return kind === 'admin' ? adminTokenUserId : userId;
}

/** The rights of a token for administration. */
const allRights = rightsOf([[{ name: 'ADMIN' }]], []);

/** Whom a token acts as, with all rights; undefined when its user is gone. */
export async function callerOf(table: Table, { kind, name, userId, expiresAt }: Token): Promise<Caller | undefined> {
  if (kind === 'admin') return callerWith(allRights, { id: adminTokenUserId, name });
  if (userId === undefined) return undefined;
  const found = await remember(table, memoryIdOf(userId), () => loadHolder(table, userId));
  if (found === undefined) return undefined;
  const caller = callerWith(found.rights, { id: userId, name: signatureOf(found.user) });
  return expiresAt === undefined ? caller : { ...caller, tokenExpiresAt: expiresAt };
}

function callerWith(rights: Rights, actor: Actor): Caller {
  return { ...actor, rights, may: (...asked) => allows(rights, ...asked) };
}

const memoryIdOf = (userId: number) => `user ${userId}`;

/** Takes note that a user was changed or deleted; other processes notice within `identityTrustMs`. */
export function forgetUser(table: Table, userId: number): void {
  forget(table, memoryIdOf(userId));
}

async function loadHolder(table: Table, userId: number): Promise<{ user: User; rights: Rights } | undefined> {
  const user = await findAccount(table, userId);
  return user && { user, rights: await loadRights(table, user) };
}

/** What a user may do by their own roles and those of their groups. */
export async function loadRights(table: Table, user: User): Promise<Rights> {
  const memberships = await groups.some(table, user.groups);
  const holders = [user, ...memberships.values()];
  const rootRoles = holders.flatMap(({ rootRole }) => rootRole ?? []);
  const inProjects = holders.flatMap(({ projectRoles }) => projectRoles);
  const allowedBy = await loadRolePermissions(table, [...rootRoles, ...inProjects.flatMap(({ roles }) => roles)]);
  return rightsOf(
    rootRoles.map(allowedBy),
    inProjects.flatMap(({ project, roles }) =>
      roles.length === 0 ? [[project, []] as const] : roles.map((role) => [project, allowedBy(role)] as const),
    ),
  );
}

/**
 * @throws ApiError 403 that names the permissions of which one would do.
 */
export function assertMay(caller: Caller, anyOf: readonly Permission[], project?: string, environment?: string): void {
  if (anyOf.some((permission) => caller.may(permission, project, environment))) return;
  const names = anyOf.map((permission) => `"${permission}"`).join(' or ');
  throw new ApiError('NoAccessError', `You need the permission ${names} to do this.`);
}
