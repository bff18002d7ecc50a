import { change } from '../entity/change.ts';
import { nameTaken } from '../entity/entity.ts';
import { type Effects, together } from '../entity/step.ts';
import { invalid, invalidRequest, notFound } from '../errors.ts';
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

/** User as an administrator wants them; omitted fields stay as they are. */
export interface UserFields {
  readonly username?: string | undefined;
  readonly email?: string | undefined;
  readonly name?: string | undefined;
  readonly rootRole?: number | undefined;
}

/**
 * Creates a user.
 * @throws ApiError 400 if they have neither a user name nor an e-mail address; 409 if another user has one of them.
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
    of: [],
    read: () => raiseCounter(request, keys.counter('user'), 1),
    revisionOf: () => undefined,
    decide: (id, at) => {
      const user: User = { id, ...given(fields), rootRole, createdAt: at, projectRoles: [], groups: [] };
      const created = users.created(user, at);
      const { writes = [], events = [], value } = more(user);
      return { ...together([created, { writes, events }]), result: { value, version: created.version } };
    },
  });
}

/** @throws ApiError 400 if there is neither a user name nor an e-mail address. */
function requireName({ username, email }: UserFields): void {
  if (username !== undefined || email !== undefined) return;
  throw invalidRequest([{ path: 'username', message: 'A user name or an e-mail address is required.' }]);
}

/**
 * Checks that a user could be created, before work that would be in vain.
 * @throws ApiError as `createUser`.
 */
export async function requireFreeNames(request: Request, fields: UserFields): Promise<void> {
  requireName(fields);
  const wanted = { ...newUser(0, undefined, ''), ...given(fields) };
  const claims = users.claimsOf(wanted).filter(({ property }) => property !== 'id');
  const bearers = await readItems(
    request,
    claims.map(({ key }) => key),
  );
  const taken = claims.find((_, index) => bearers[index] !== undefined);
  if (taken !== undefined) throw nameTaken(users.kind, taken.property, taken.value);
}

/**
 * Changes a user.
 * @param besides reads what decides on further writes of the same transaction.
 * @throws ApiError 404 for an unknown user; 409 if another user has the e-mail address; 400 if no user would
 * be an Admin; 412 by `If-Match`.
 */
export function updateUser(
  request: Request,
  actor: Actor,
  id: number,
  fields: UserFields,
  besides: () => Promise<(before: User, after: User) => readonly Write[]> = async () => () => [],
): Promise<Versioned<User>> {
  return change(request, actor, {
    of: [users.keyOf(id)],
    read: async () => {
      const [all, more] = await Promise.all([loadAmongAll(request, id), besides()]);
      return { ...all, more };
    },
    revisionOf: ({ found }) => found,
    decide: ({ found, others, more }) => {
      const { rootRole = found.value.rootRole } = fields;
      const value: User = { ...found.value, ...given(fields), rootRole };
      const { writes, events } = users.updated(found, value);
      if (writes.length === 0) return { writes, events, result: found };
      const guard = rootRole === rootRoles.Admin ? [] : anotherAdmin(found.value, others);
      const further = more(found.value, value);
      return { writes: [...guard, ...writes, ...further], events, result: { value, version: found.version + 1 } };
    },
  });
}

/**
 * Deletes a user with their tokens, which processes that have seen them lately trust for a few seconds more (see
 * `identityTrustMs`).
 * @param besides further writes of the same transaction.
 * @throws ApiError 404 for an unknown user; 400 if no user would be an Admin; 412 by `If-Match`.
 */
export async function deleteUser(request: Request, actor: Actor, id: number, besides: () => Promise<readonly Write[]>) {
  await deleteAccount(request, actor, {
    key: users.keyOf(id),
    tokens: () => loadTokensOfUser(request, id),
    read: async () => {
      const [all, more] = await Promise.all([loadAmongAll(request, id), besides()]);
      return { ...all, more };
    },
    revisionOf: ({ found }) => found,
    removal: ({ found, others, more }) => {
      const { writes, events } = users.removed(found);
      return { writes: [...anotherAdmin(found.value, others), ...writes, ...more], events };
    },
    lessened: ({ found }) => buildPartialRoleRemoval(users, found),
  });
  forgetUser(request, id);
}

/** Loads a user, and all others. */
async function loadAmongAll(request: Request, id: number) {
  const all = await users.listVersioned(request);
  const found = all.find(({ value }) => value.id === id);
  if (found === undefined) throw notFound('user', id);
  return { found, others: all.filter((each) => each !== found) };
}

/**
 * Returns the condition that another Admin remains when this one goes: of two that go at the same moment, the second
 * fails.
 * @throws ApiError 400 if there is no other.
 */
function anotherAdmin({ rootRole }: User, others: readonly Versioned<User>[]): Write[] {
  if (rootRole !== rootRoles.Admin) return [];
  const other = others.find(({ value }) => value.rootRole === rootRoles.Admin);
  if (other === undefined) throw invalid('This user is the last Admin; make another one an Admin first.');
  return [{ check: users.keyOf(other.value.id), when: { version: other.version } }];
}

function given({ username, email, name }: UserFields): Pick<User, 'username' | 'email' | 'name'> {
  return {
    ...(username !== undefined && { username }),
    ...(email !== undefined && { email }),
    ...(name !== undefined && { name }),
  };
}

/** Shortest text to search for, in characters. */
const searchedMin = 2;

/**
 * Finds the users whose user name, name or address begins with a text, ignoring case; none for fewer than two
 * characters.
 */
export async function searchUsers(request: Request, text: string): Promise<User[]> {
  const wanted = text.trim().toLowerCase();
  if (wanted.length < searchedMin) return [];
  const isMeant = (value: string | undefined) => value?.toLowerCase().startsWith(wanted) ?? false;
  return (await users.list(request)).filter(({ username, name, email }) => [username, name, email].some(isMeant));
}
