import { isDeepStrictEqual } from 'node:util';
import { commitSystemChange } from '../events/system-change.ts';
import { loadProject } from '../projects/project-store.ts';
import { readCounter } from '../table/counter.ts';
import { keys } from '../table/keys.ts';
import { readItem } from '../table/read.ts';
import { retryLostRaces } from '../table/retry.ts';
import type { Table } from '../table/table.ts';
import { type ProjectRole, type RootRole, rootRoles } from './permissions.ts';
import { type User, type UserItem, userFrom } from './user.ts';
import { changedUserWrite, newUserWrites, userCreated, userUpdated } from './user-changes.ts';

/** A user as they are to be. */
export interface UserRequest {
  readonly username: string;
  /** Without it, an existing user keeps theirs and a new one is a Viewer. */
  readonly rootRole?: RootRole | undefined;
  /** A role in one project, besides those that they have in others. */
  readonly inProject?: { readonly project: string; readonly role: ProjectRole } | undefined;
}

/**
 * Creates a user, or gives an existing one the roles; one who has them already stays untouched.
 * @throws ApiError 404 where the project does not exist.
 */
export function ensureUser(table: Table, request: UserRequest): Promise<User> {
  return retryLostRaces(table, async () => {
    // First: see readCounter.
    const lastId = await readCounter(table, 'user');
    const [existing] = await Promise.all([
      findUser(table, request.username),
      request.inProject && loadProject(table, request.inProject.project),
    ]);
    if (existing === undefined) {
      const user = withRoles(newUser(lastId + 1, request.username), request);
      await commitSystemChange(
        table,
        [...newUserWrites(user), { add: keys.counter('user'), amounts: { value: 1 } }],
        userCreated(user),
      );
      return user;
    }
    const user = withRoles(existing, request);
    if (isDeepStrictEqual(user, existing)) return existing;
    await commitSystemChange(table, [changedUserWrite(existing, user)], userUpdated(existing, user));
    return { ...user, version: existing.version + 1 };
  });
}

async function findUser(table: Table, username: string): Promise<User | undefined> {
  const pointer = await readItem<{ id: number }>(table, keys.username(username));
  const item = pointer && (await readItem<UserItem>(table, keys.user(pointer.id)));
  return item && userFrom(item);
}

function newUser(id: number, username: string): User {
  const createdAt = new Date().toISOString();
  return { id, username, rootRole: rootRoles.Viewer, createdAt, projectRoles: [], groups: [], version: 1 };
}

function withRoles(user: User, { rootRole, inProject }: UserRequest): User {
  const roles = new Map(user.projectRoles);
  if (inProject !== undefined) roles.set(inProject.project, inProject.role);
  return { ...user, rootRole: rootRole === undefined ? user.rootRole : rootRoles[rootRole], projectRoles: [...roles] };
}
