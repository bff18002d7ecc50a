import { loadMembers } from '../../identity/accounts.ts';
import type { RoleHolder } from '../../identity/roles.ts';
import type { Request } from '../../request.ts';
import { findRole } from './administer-roles.ts';
import type { RoleAccess } from './role-schema.ts';

/**
 * Counts the holders of a role in each project that has any.
 * @throws ApiError 404 for an unknown role.
 */
export async function accessOfRole(request: Request, role: number): Promise<RoleAccess[]> {
  const [, { users, serviceAccounts, groups }] = await Promise.all([findRole(request, role), loadMembers(request)]);
  const projectsOf = (holders: readonly RoleHolder[]) =>
    holders.flatMap(({ projectRoles }) =>
      projectRoles.flatMap(({ project, roles }) => (roles.includes(role) ? [project] : [])),
    );
  const counted = [users, serviceAccounts, groups].map((holders) => projectsOf(holders));
  const countIn = (all: readonly string[] = [], project: string) => all.filter((each) => each === project).length;
  const shown = [...new Set(counted.flat())].toSorted();
  return shown.map((project) => ({
    ...{ project, role },
    userCount: countIn(counted[0], project),
    serviceAccountCount: countIn(counted[1], project),
    groupCount: countIn(counted[2], project),
  }));
}
