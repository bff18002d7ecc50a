import { ApiError } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import type { Table } from '../table/table.ts';
import { groups } from './groups.ts';
import { allows, type Permission, type Roles, type RootRole, rootRoleName } from './permissions.ts';
import { hashOf, kindOf } from './token.ts';
import { type Token, tokens } from './tokens.ts';
import { signatureOf, type User, users } from './users.ts';

/** Who asks, and what they may do. */
export interface Caller extends Actor {
  /** Whether one of the permissions is theirs, in a project where it is one of projects. */
  may(permission: Permission, project?: string): boolean;
}

/** Unleash's id for the holder of an admin token. */
const adminTokenUserId = -42;

/** How long a token and its user's roles are trusted without asking the store: the delay of a revocation. */
export const identityTrustMs = 5_000;
const rememberedMax = 1_000;

interface Remembered {
  readonly value: unknown;
  readonly since: Moment;
}

/** By the clock of the day and by the one that only ever goes on. */
interface Moment {
  readonly wall: number;
  readonly monotonic: number;
}

const now = (): Moment => ({ wall: Date.now(), monotonic: performance.now() });

/**
 * Whether so little time has passed that a revocation may go unnoticed. Either clock can hide time: the clock of the day
 * is set back now and then, and the other one may rest while Lambda keeps a process frozen.
 */
function isFresh({ wall, monotonic }: Moment): boolean {
  const { wall: wallNow, monotonic: monotonicNow } = now();
  return wallNow >= wall && Math.max(wallNow - wall, monotonicNow - monotonic) < identityTrustMs;
}

/** One for each open table. */
const memories = new WeakMap<Table['client'], Map<string, Remembered>>();

/** Only what exists is remembered, so that a new token works at once. */
async function remember<T>(table: Table, id: string, read: () => Promise<T | undefined>): Promise<T | undefined> {
  let memory = memories.get(table.client);
  if (memory === undefined) {
    memory = new Map();
    memories.set(table.client, memory);
  }
  const remembered = memory.get(id);
  if (remembered !== undefined && isFresh(remembered.since)) return remembered.value as T;
  const since = now();
  const value = await read();
  if (memory.size >= rememberedMax) memory.clear();
  if (value !== undefined) memory.set(id, { value, since });
  return value;
}

/** The token that a secret stands for, if it is known and has not expired. */
export async function identify(table: Table, secret: string | undefined): Promise<Token | undefined> {
  if (secret === undefined || kindOf(secret) === undefined) return undefined;
  const hash = hashOf(secret);
  const token = await remember(table, hash, async () => (await tokens.find(table, hash))?.value);
  const expired = token?.expiresAt !== undefined && Date.parse(token.expiresAt) <= Date.now();
  return expired ? undefined : token;
}

/** Whom a token acts as, in the log and in events. */
export function userIdOf({ userId }: Pick<Token, 'userId'>): number {
  return userId ?? adminTokenUserId;
}

/** Whom a token acts as, with all roles; undefined when its user is gone. */
export async function callerOf(table: Table, token: Token): Promise<Caller | undefined> {
  const { userId } = token;
  if (userId === undefined) return { id: userIdOf(token), name: token.name, may: () => true };
  const found = await remember(table, `user ${userId}`, () => loadRoles(table, userId));
  if (found === undefined) return undefined;
  const { user, roles } = found;
  return { id: userId, name: signatureOf(user), may: (permission, project) => allows(roles, permission, project) };
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
