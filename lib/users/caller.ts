import { ApiError } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import type { Table } from '../table/table.ts';
import { groups } from './groups.ts';
import { remember, rememberThroughOutage, trustedThroughOutage } from './identity-memory.ts';
import {
  allows,
  type Grant,
  grantsOf,
  type Permission,
  type Roles,
  type RootRole,
  rootRoleName,
} from './permissions.ts';
import { formOf, hashOf } from './token.ts';
import { type Token, tokens } from './tokens.ts';
import { signatureOf, type User, users } from './users.ts';

/** Who asks, and what they may do. */
export interface Caller extends Actor {
  /** Whether one of the permissions is theirs, in a project where it is one of projects. */
  may(permission: Permission, project?: string): boolean;
  /** All permissions that are theirs. */
  grants(): readonly Grant[];
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

function hasExpired({ expiresAt }: Token): boolean {
  return expiresAt !== undefined && Date.parse(expiresAt) <= Date.now();
}

/** Whom a token acts as, in the log and in events; SDKs act as nobody. */
export function userIdOf({ kind, userId }: Pick<Token, 'kind' | 'userId'>): number | undefined {
  return kind === 'admin' ? adminTokenUserId : userId;
}

/** Whom a token acts as, with all roles; undefined when its user is gone. */
export async function callerOf(table: Table, token: Token): Promise<Caller | undefined> {
  const { kind, name, userId } = token;
  if (kind === 'admin') {
    return { id: adminTokenUserId, name, may: () => true, grants: () => [{ permission: 'ADMIN' }] };
  }
  if (userId === undefined) return undefined;
  const found = await remember(table, `user ${userId}`, () => loadRoles(table, userId));
  if (found === undefined) return undefined;
  const { user, roles } = found;
  return {
    id: userId,
    name: signatureOf(user),
    may: (permission, project) => allows(roles, permission, project),
    grants: () => grantsOf(roles),
  };
}

async function loadRoles(table: Table, userId: number): Promise<{ user: User; roles: Roles } | undefined> {
  const user = (await users.find(table, userId))?.value;
  if (user === undefined) return undefined;
  const memberships = await groups.some(table, user.groups);
  const rootRoleIds = [user.rootRole, ...[...memberships.values()].map(({ rootRole }) => rootRole)];
  const root = rootRoleIds.flatMap((id): RootRole[] => {
    const role = id === undefined ? undefined : rootRoleName(id);
    return role === undefined ? [] : [role];
  });
  return { user, roles: { root, projects: new Map(user.projectRoles) } };
}

/**
 * @throws ApiError 403 that names the permissions of which one would do.
 */
export function assertMay(caller: Caller, anyOf: readonly Permission[], project?: string): void {
  if (anyOf.some((permission) => caller.may(permission, project))) return;
  const names = anyOf.map((permission) => `"${permission}"`).join(' or ');
  throw new ApiError('NoAccessError', `You need the permission ${names} to do this.`);
}
