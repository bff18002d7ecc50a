import { change } from '../entity/change.ts';
import { type Effects, mergeEffects } from '../entity/effects.ts';
import { nameTakenError } from '../entity/names.ts';
import { invalid, invalidRequest } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import { forgetUser } from '../identity/caller.ts';
import { rootRoles } from '../identity/permissions.ts';
import { buildPartialRoleRemoval } from '../identity/roles.ts';
import { loadTokensOfUser } from '../identity/tokens/tokens.ts';
import { newUser, type User, users } from '../identity/users.ts';
import type { Request } from '../request.ts';
import * as keys from '../store/keys.ts';
import { readItems } from '../store/read.ts';
import { raiseCounter } from '../store/transactions/transact.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import type { Write } from '../store/transactions/write.ts';
import { deleteAccount } from './delete-account.ts';

/** Properties of a user to set; omitted ones stay. */
export interface UserFields {
  readonly username?: string | undefined;
  readonly email?: string | undefined;
  readonly name?: string | undefined;
  readonly rootRole?: number | undefined;
}

/**
 * Creates a user.
 * @throws ApiError 400 without a user name and an e-mail address; 409 if one of them is in use.
 */
export function createUser(request: Request, actor: Actor, fields: UserFields): Promise<Versioned<User>> {
  return createUserWith(request, actor, fields, (value) => ({ value }));
}

/**
 * Creates a user as `createUser` does, with further writes in the same transaction.
 * @param more returns these writes and the result.
 */
export function createUserWith<T>(
  request: Request,
  actor: Actor,
  { rootRole = rootRoles.Viewer, ...fields }: UserFields,
  more: (user: User) => Partial<Effects> & { readonly value: T },
): Promise<Versioned<T>> {
  requireName(fields);
  return change(request, actor, {
    items: [],
    read: () => raiseCounter(request, keys.counter('user'), 1),
    revisionOf: () => undefined,
    decide: (id, at) => {
      const user: User = { id, ...pickDefined(fields), rootRole, createdAt: at, projectRoles: [], groups: [] };
      const created = users.buildCreationEffects(user, at);
      const { writes = [], events = [], value } = more(user);
      return { ...mergeEffects([created, { writes, events }]), result: { value, version: created.version } };
    },
  });
}

/** @throws ApiError 400 without a user name and an e-mail address. */
function requireName({ username, email }: UserFields): void {
  if (username !== undefined || email !== undefined) return;
  throw invalidRequest([{ path: 'username', message: 'A user name or an e-mail address is required.' }]);
}

/**
 * Checks that a user could be created, before more expensive work.
 * @throws ApiError as `createUser`.
 */
export async function requireFreeNames(request: Request, fields: UserFields): Promise<void> {
  requireName(fields);
  const user = { ...newUser(0, undefined, ''), ...pickDefined(fields) };
  const uniqueValues = users.uniqueValuesOf(user).filter(({ property }) => property !== 'id');
  const takenItems = await readItems(
    request,
    uniqueValues.map(({ key }) => key),
  );
  const taken = uniqueValues.find((_, index) => takenItems[index] !== undefined);
  if (taken !== undefined) throw nameTakenError(users.kind, taken.property, taken.value);
}

/**
 * Changes a user.
 * @param extraWrites loads a function that returns further writes of the same transaction.
 * @throws ApiError 404 for an unknown user; 409 for an e-mail address in use; 400 for the last Admin; 412 if `If-Match` does not match.
 */
export function updateUser(
  request: Request,
  actor: Actor,
  id: number,
  fields: UserFields,
  extraWrites: () => Promise<(before: User, after: User) => readonly Write[]> = async () => () => [],
): Promise<Versioned<User>> {
  return change(request, actor, {
    items: [users.keyOf(id)],
    read: async () => {
      const [all, more] = await Promise.all([loadWithOthers(request, id), extraWrites()]);
      return { ...all, more };
    },
    revisionOf: ({ user }) => user,
    decide: ({ user, others, more }) => {
      const { rootRole = user.value.rootRole } = fields;
      const value: User = { ...user.value, ...pickDefined(fields), rootRole };
      const { writes, events } = users.buildUpdateEffects(user, value);
      if (writes.length === 0) return { writes, events, result: user };
      const checks = rootRole === rootRoles.Admin ? [] : buildOtherAdminCheck(user.value, others);
      const further = more(user.value, value);
      return { writes: [...checks, ...writes, ...further], events, result: { value, version: user.version + 1 } };
    },
  });
}

/**
 * Deletes a user with their tokens; processes that know these trust them for a few more seconds (`identityTrustMs`).
 * @param extraWrites further writes of the same transaction.
 * @throws ApiError 404 for an unknown user; 400 for the last Admin; 412 if `If-Match` does not match.
 */
export async function deleteUser(
  request: Request,
  actor: Actor,
  id: number,
  extraWrites: () => Promise<readonly Write[]>,
) {
  await deleteAccount(request, actor, {
    key: users.keyOf(id),
    tokens: () => loadTokensOfUser(request, id),
    read: async () => {
      const [all, more] = await Promise.all([loadWithOthers(request, id), extraWrites()]);
      return { ...all, more };
    },
    revisionOf: ({ user }) => user,
    removal: ({ user, others, more }) => {
      const { writes, events } = users.buildRemovalEffects(user);
      return { writes: [...buildOtherAdminCheck(user.value, others), ...writes, ...more], events };
    },
    partialRemoval: ({ user }) => buildPartialRoleRemoval(users, user),
  });
  forgetUser(request, id);
}

/** Loads a user and, for an active Admin, all other users, among whom another Admin must remain. */
async function loadWithOthers(request: Request, id: number) {
  const user = await users.load(request, id);
  const all = isActiveAdmin(user.value) ? await users.listVersioned(request) : [];
  return { user, others: all.filter(({ value }) => value.id !== id) };
}

const isActiveAdmin = ({ rootRole, isDeactivated }: User) => rootRole === rootRoles.Admin && !isDeactivated;

/**
 * Loads the condition that another active Admin remains after a user loses their rights.
 * @throws ApiError 400 for the last Admin.
 */
export async function loadOtherAdminCheck(request: Request, user: User): Promise<Write[]> {
  if (!isActiveAdmin(user)) return [];
  const others = (await users.listVersioned(request)).filter(({ value }) => value.id !== user.id);
  return buildOtherAdminCheck(user, others);
}

/**
 * Builds the condition that another active Admin remains. If two are removed at the same time, the second request fails.
 * @throws ApiError 400 for the last Admin.
 */
function buildOtherAdminCheck(user: User, others: readonly Versioned<User>[]): Write[] {
  if (!isActiveAdmin(user)) return [];
  const other = others.find(({ value }) => isActiveAdmin(value));
  if (other === undefined) throw invalid('This user is the last Admin; make another one an Admin first.');
  return [{ check: users.keyOf(other.value.id), when: { version: other.version } }];
}

function pickDefined({ username, email, name }: UserFields): Pick<User, 'username' | 'email' | 'name'> {
  return {
    ...(username !== undefined && { username }),
    ...(email !== undefined && { email }),
    ...(name !== undefined && { name }),
  };
}

const searchTextMin = 2;

/** Finds users whose user name, name or address begins with a text, ignoring case; none for less than two characters. */
export async function searchUsers(request: Request, text: string): Promise<User[]> {
  const prefix = text.trim().toLowerCase();
  if (prefix.length < searchTextMin) return [];
  const matches = (value: string | undefined) => value?.toLowerCase().startsWith(prefix) ?? false;
  return (await users.list(request)).filter(({ username, name, email }) => [username, name, email].some(matches));
}
