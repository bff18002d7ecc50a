import { notFound } from '../errors.ts';
import type { Role, ShownUser } from '../schemas/user.ts';
import type { Table } from '../table/table.ts';
import type { Caller } from './caller.ts';
import { rootRoleName, rootRoles } from './permissions.ts';
import { projectRoleView, rootRoleView, userView } from './user-views.ts';
import { type User, users } from './users.ts';

/** The user that a caller is; undefined for the holder of an admin token. */
async function userOf(table: Table, { id }: Caller): Promise<User | undefined> {
  return id > 0 ? (await users.load(table, id)).value : undefined;
}

/** Who the caller is, as an admin UI shows it. */
export async function selfView(table: Table, caller: Caller): Promise<Partial<ShownUser> & Pick<ShownUser, 'id'>> {
  const user = await userOf(table, caller);
  return user === undefined ? { id: caller.id, username: caller.name } : userView(user);
}

/** The roles of the caller: the one that holds everywhere, and that in a project, if they have one there. */
export async function rolesOf(table: Table, caller: Caller, project?: string): Promise<Role[]> {
  const user = await userOf(table, caller);
  const inProject = user?.projectRoles.find(([id]) => id === project);
  return [rootRoleOf(user), ...(inProject ? [projectRoleView(inProject[1], inProject[0])] : [])];
}

export interface Profile {
  readonly rootRole: Role;
  /** The ids of the projects in which the caller has a role of their own. */
  readonly projects: string[];
}

export async function profileOf(table: Table, caller: Caller): Promise<Profile> {
  const user = await userOf(table, caller);
  return { rootRole: rootRoleOf(user), projects: (user?.projectRoles ?? []).map(([id]) => id) };
}

/** An admin token may do what an Admin may. */
function rootRoleOf(user: User | undefined): Role {
  const id = user?.rootRole ?? rootRoles.Admin;
  const name = rootRoleName(id);
  if (name === undefined) throw notFound('role', id);
  return rootRoleView(name);
}
