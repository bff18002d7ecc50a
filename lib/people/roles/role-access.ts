import { loadMembers } from '../../identity/accounts.ts';
import type { RoleHolder } from '../../identity/roles.ts';
import type { Request } from '../../request.ts';
import { loadRoleWithPermissions } from './administer-roles.ts';
import type { RoleAccess } from './role-schema.ts';

/**
 * Counts the holders of a role by project.
 * @throws ApiError 404 for an unknown role.
 */
export async function countRoleAccess(request: Request, role: number): Promise<RoleAccess[]> {
  const [, { users, serviceAccounts, groups }] = await Promise.all([
    loadRoleWithPermissions(request, role),
    loadMembers(request),
  ]);
  const projectsOf = (holders: readonly RoleHolder[]) =>
    holders.flatMap(({ projectRoles }) =>
      projectRoles.flatMap(({ project, roles }) => (roles.includes(role) ? [project] : [])),
    );
  const ofUsers = projectsOf(users);
  const ofServiceAccounts = projectsOf(serviceAccounts);
  const ofGroups = projectsOf(groups);
  const countIn = (all: readonly string[], project: string) => all.filter((other) => other === project).length;
  const projects = [...new Set([...ofUsers, ...ofServiceAccounts, ...ofGroups])].toSorted();
  return projects.map((project) => ({
    project,
    role,
    userCount: countIn(ofUsers, project),
    serviceAccountCount: countIn(ofServiceAccounts, project),
    groupCount: countIn(ofGroups, project),
  }));
}
