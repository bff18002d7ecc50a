import { notFound } from '../errors.ts';
import { loadAccounts } from '../identity/accounts.ts';
import type { Caller } from '../identity/caller.ts';
import { groups } from '../identity/groups.ts';
import { rootRoles } from '../identity/permissions.ts';
import { findProjectRoles, loadRoles } from '../identity/roles.ts';
import type { User } from '../identity/users.ts';
import type { Request } from '../request.ts';
import { userViewOf } from './account-views.ts';
import type { Role } from './roles/role-schema.ts';
import type { ShownUser } from './user-schema.ts';

/** Loads the user of a caller; undefined for an admin token. */
async function loadUser(request: Request, { id }: Caller): Promise<User | undefined> {
  if (id <= 0) return undefined;
  const account = (await loadAccounts(request, [id])).get(id);
  if (account === undefined) throw notFound('user', id);
  return account.value;
}

/** Loads the user of a caller as an admin UI shows them. */
export async function loadSelf(request: Request, caller: Caller): Promise<Partial<ShownUser> & Pick<ShownUser, 'id'>> {
  const user = await loadUser(request, caller);
  return user === undefined ? { id: caller.id, username: caller.name } : userViewOf(user);
}

/** Loads the roles of the caller: the root role, and those in a project, also by groups. */
export async function loadRolesOfCaller(request: Request, caller: Caller, project?: string): Promise<Role[]> {
  const user = await loadUser(request, caller);
  const memberships = await groups.findSome(request, user?.groups ?? []);
  const inProject = [user, ...memberships.values()].flatMap((holder) => findProjectRoles(holder, project)?.roles ?? []);
  const [root, ...others] = await loadRoles(request, [rootRoleIdOf(user), ...new Set(inProject)]);
  return [
    ...(root === undefined ? [] : [root]),
    ...others.map((role) => ({ ...role, ...(project !== undefined && { project }) })),
  ];
}

export interface Profile {
  readonly rootRole: Role;
  /** The ids of the projects in which the caller has a role, also by a group. */
  readonly projects: string[];
  /** The names of the caller's groups. */
  readonly groups: string[];
}

export async function loadProfile(request: Request, caller: Caller): Promise<Profile> {
  const user = await loadUser(request, caller);
  const id = rootRoleIdOf(user);
  const [[rootRole], memberships] = await Promise.all([
    loadRoles(request, [id]),
    groups.findSome(request, user?.groups ?? []),
  ]);
  if (rootRole === undefined) throw notFound('role', id);
  return {
    rootRole,
    projects: [...caller.rights.projects.keys()],
    groups: [...memberships.values()].map(({ name }) => name),
  };
}

/** Loads the id of the caller's root role: Admin for an admin token. */
export async function loadRootRoleId(request: Request, caller: Caller): Promise<number> {
  return rootRoleIdOf(await loadUser(request, caller));
}

function rootRoleIdOf(user: User | undefined): number {
  return user?.rootRole ?? rootRoles.Admin;
}
