import type { Request } from '../request.ts';
import { loadMembers } from './accounts.ts';
import { rightsFrom } from './caller.ts';
import { allows, type Permission } from './permissions.ts';
import { loadRoleRights, type RoleHolder } from './roles.ts';
import type { User } from './users.ts';

/** Lists the users who have a permission in an environment of a project, by a role of their own or of a group. */
export async function holdersOf(
  request: Request,
  permission: Permission,
  project: string,
  environment: string,
): Promise<User[]> {
  const { users, groups } = await loadMembers(request);
  const rolesOf = ({ rootRole, projectRoles }: RoleHolder) => [
    ...(rootRole === undefined ? [] : [{ role: rootRole, project: undefined }]),
    ...projectRoles
      .filter((each) => each.project === project)
      .flatMap(({ roles }) => roles.map((role) => ({ role, project }))),
  ];
  const roles = [...users, ...groups].flatMap((holder) => rolesOf(holder).map(({ role }) => role));
  const rightsBy = await loadRoleRights(request, roles);
  const byId = new Map(groups.map((group) => [group.id, group]));
  return users.filter((user) => {
    const holders = [user, ...user.groups.flatMap((id) => byId.get(id) ?? [])];
    const given = holders.flatMap(rolesOf);
    const sources = given.map((each) => ({
      project: each.project,
      permissions: rightsBy(each.role).permissions,
      standing: [],
    }));
    return allows(rightsFrom(sources), permission, project, environment);
  });
}
