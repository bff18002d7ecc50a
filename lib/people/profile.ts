import { notFound } from '../errors.ts';
import { loadAccounts } from '../identity/accounts.ts';
import type { Caller } from '../identity/caller.ts';
import { groups } from '../identity/groups.ts';
import { rootRoles } from '../identity/permissions.ts';
import { findProjectRoles, loadRoles } from '../identity/roles.ts';
import type { User } from '../identity/users.ts';
import type { Request } from '../request.ts';
import type { Role } from './roles/role-schema.ts';
import type { ShownUser } from './user-schema.ts';
import { userView } from './user-views.ts';

/** Loads the user that a caller is; undefined for the holder of an admin token. */
async function userOf(request: Request, { id }: Caller): Promise<User | undefined> {
  if (id <= 0) return undefined;
  const account = (await loadAccounts(request, [id])).get(id);
  if (account === undefined) throw notFound('user', id);
  return account.value;
}

/** Returns the caller as an admin UI shows them. */
export async function selfView(request: Request, caller: Caller): Promise<Partial<ShownUser> & Pick<ShownUser, 'id'>> {
  const user = await userOf(request, caller);
  return user === undefined ? { id: caller.id, username: caller.name } : userView(user);
}

/** Loads the roles of the caller: the root role, and those in a project, of their own and of their groups. */
export async function rolesOf(request: Request, caller: Caller, project?: string): Promise<Role[]> {
  const user = await userOf(request, caller);
  const memberships = await groups.some(request, user?.groups ?? []);
  const inProject = [user, ...memberships.values()].flatMap((holder) => findProjectRoles(holder, project)?.roles ?? []);
  const [root, ...others] = await loadRoles(request, [rootRoleIdOf(user), ...new Set(inProject)]);
  return [
    ...(root === undefined ? [] : [root]),
    ...others.map((role) => ({ ...role, ...(project !== undefined && { project }) })),
  ];
}

export interface Profile {
  readonly rootRole: Role;
  /** The ids of the projects in which the caller has a role, of their own or by a group. */
  readonly projects: string[];
  /** The names of the groups that they are a member of. */
  readonly groups: string[];
}

export async function profileOf(request: Request, caller: Caller): Promise<Profile> {
  const user = await userOf(request, caller);
  const id = rootRoleIdOf(user);
  const [[rootRole], memberships] = await Promise.all([
    loadRoles(request, [id]),
    groups.some(request, user?.groups ?? []),
  ]);
  if (rootRole === undefined) throw notFound('role', id);
  return {
    rootRole,
    projects: [...caller.rights.projects.keys()],
    groups: [...memberships.values()].map(({ name }) => name),
  };
}

/** Returns the id of the root role of a caller; the holder of an admin token has that of an Admin. */
export async function rootRoleOf(request: Request, caller: Caller): Promise<number> {
  return rootRoleIdOf(await userOf(request, caller));
}

function rootRoleIdOf(user: User | undefined): number {
  return user?.rootRole ?? rootRoles.Admin;
}
