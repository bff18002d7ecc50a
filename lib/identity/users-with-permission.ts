import type { Request } from '../request.ts';
import { loadMembers } from './accounts.ts';
import { type Caller, mergeRights } from './caller.ts';
import { allows, type Permission } from './permissions.ts';
import { loadRoleRights, type RoleHolder } from './roles.ts';
import type { User } from './users.ts';

/** Lists the active users who have a permission in an environment of a project, by their own roles or those of their groups. */
export function listUsersWithPermission(
  request: Request,
  permission: Permission,
  project: string,
  environment: string,
) {
  return listUsersWithRights(request, project, (may) => may(permission, project, environment));
}

/**
 * Lists the active users with some rights in a project, by their own roles or those of their groups.
 * @param isWanted decides on a user by a function that tells whether they have a permission.
 */
export async function listUsersWithRights(
  request: Request,
  project: string,
  isWanted: (may: Caller['may'], user: User) => boolean,
): Promise<User[]> {
  const { users, groups } = await loadMembers(request);
  const rolesOf = ({ rootRole, projectRoles }: RoleHolder) => [
    ...(rootRole === undefined ? [] : [{ role: rootRole, project: undefined }]),
    ...projectRoles
      .filter((inProject) => inProject.project === project)
      .flatMap(({ roles }) => roles.map((role) => ({ role, project }))),
  ];
  const roles = [...users, ...groups].flatMap((holder) => rolesOf(holder).map(({ role }) => role));
  const rightsOfRole = await loadRoleRights(request, roles);
  const byId = new Map(groups.map((group) => [group.id, group]));
  return users.filter((user) => {
    if (user.isDeactivated) return false;
    const holders = [user, ...user.groups.flatMap((id) => byId.get(id) ?? [])];
    const sources = holders.flatMap(rolesOf).map((assignment) => ({
      project: assignment.project,
      permissions: rightsOfRole(assignment.role).permissions,
      conditions: [],
    }));
    const rights = mergeRights(sources);
    return isWanted((...permission) => allows(rights, ...permission), user);
  });
}
