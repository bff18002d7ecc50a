import { isDeepStrictEqual } from 'node:util';
import { change } from '../entity/change.ts';
import type { Pointer } from '../entity/entity-definition.ts';
import { nameTakenError } from '../entity/names.ts';
import { systemUser } from '../events/actor.ts';
import { isServiceAccount, loadAccounts } from '../identity/accounts.ts';
import * as peopleKeys from '../identity/keys.ts';
import { type ProjectRole, projectRoles, type RootRole, rootRoles } from '../identity/permissions.ts';
import { newUser, type User, users } from '../identity/users.ts';
import { buildProjectCheck, loadProject } from '../projects/projects.ts';
import type { Request } from '../request.ts';
import type { Key } from '../store/client/definition.ts';
import * as keys from '../store/keys.ts';
import { readItem } from '../store/read.ts';
import { raiseCounter } from '../store/transactions/transact.ts';
import type { Versioned } from '../store/transactions/versioned.ts';

/** A user who is to exist. */
export interface UserRequest {
  readonly username: string;
  /** The root role. By default, an existing user keeps theirs, and a new one is a Viewer. */
  readonly rootRole?: RootRole | undefined;
  /** Replaces their roles in this project. */
  readonly inProject?: { readonly project: string; readonly role: ProjectRole } | undefined;
}

/**
 * Creates a user, or gives an existing one the roles.
 * @throws ApiError 404 if the project does not exist; 409 for the user name of a service account.
 */
export function ensureUser(request: Request, { username, rootRole, inProject }: UserRequest): Promise<User> {
  const roles = { rootRole, inProject };
  return change(request, systemUser, {
    items: [peopleKeys.username(username)],
    read: async () => {
      const [existing] = await Promise.all([
        findUser(request, username),
        inProject && loadProject(request, inProject.project),
      ]);
      return { existing, id: existing?.value.id ?? (await raiseCounter(request, keys.counter('user'), 1)) };
    },
    revisionOf: ({ existing }) => existing,
    decide: ({ existing, id }, at) => {
      const user = withRoles(existing?.value ?? newUser(id, username, at), roles, at);
      const { writes, events } = existing
        ? users.buildUpdateEffects(existing, user)
        : users.buildCreationEffects(user, at, 'retry');
      const checks = writes.length > 0 ? buildProjectCheck(inProject?.project) : [];
      return { writes: [...checks, ...writes], events, result: user };
    },
  });
}

async function findUser(request: Request, username: string): Promise<Versioned<User> | undefined> {
  const [byName, bySignInName] = await Promise.all([
    users.findHolders(request, 'username', [username]),
    readItem<Key & Pointer<number>>(request, peopleKeys.signInName(username)),
  ]);
  // A user with the name in another case, or as an e-mail address, signs in with it.
  const pointer = byName.get(username) ?? bySignInName;
  const account = pointer && (await loadAccounts(request, [pointer.id])).get(pointer.id);
  if (account !== undefined && isServiceAccount(account.value)) {
    throw nameTakenError('service account', 'user name', username);
  }
  return account;
}

/** Gives a user roles. A role in a project replaces theirs there. @internal */
export function withRoles(user: User, { rootRole, inProject }: Omit<UserRequest, 'username'>, at: string): User {
  const { project, role } = inProject ?? {};
  const before = user.projectRoles.find((entry) => entry.project === project);
  const roles = role === undefined ? [] : [projectRoles[role]];
  const after =
    project === undefined || isDeepStrictEqual(before?.roles, roles) ? before : { project, roles, addedAt: at };
  return {
    ...user,
    rootRole: rootRole === undefined ? user.rootRole : rootRoles[rootRole],
    projectRoles: [...user.projectRoles.filter((other) => other !== before), ...(after ? [after] : [])],
  };
}
