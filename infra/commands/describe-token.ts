import { projectRoleNameOf, rootRoleNameOf } from '../../lib/identity/permissions.ts';
import { allProjects, type TokenScope } from '../../lib/identity/tokens/token.ts';
import { authorNameOf, type User } from '../../lib/identity/users.ts';

const dayMs = 86_400_000;

/** Describes a new token in a line, such as "Token ce00dff5cca11914 for user alice (Viewer), expires 2026-12-21." */
export function describeToken(id: string, owner: string, expiresAt: Date | undefined): string {
  return `Token ${id} for ${owner}, ${expiresAt === undefined ? 'does not expire' : `expires ${formatTime(expiresAt)}`}.`;
}

/** Describes a user and their rights, such as "user alice (Viewer; Member of default)". */
export function describeOwner(user: User): string {
  return `user ${user.username ?? authorNameOf(user)} (${describeRoles(user)})`;
}

/** Describes the rights of a user, such as "Viewer; Member of default". */
export function describeRoles({ rootRole, projectRoles, groups }: User): string {
  const roles = [
    rootRoleNameOf(rootRole) ?? `role ${rootRole}`,
    ...projectRoles.flatMap(({ project, roles }) =>
      roles.map((role) => `${projectRoleNameOf(role) ?? `role ${role}`} of ${project}`),
    ),
    ...(groups.length > 0 ? ['and the roles of their groups'] : []),
  ];
  return roles.join('; ');
}

/** Describes the scope of an SDK token, such as "reads shop, blog in production". */
export function describeReads({ projects, environment }: TokenScope): string {
  return `reads ${projects.includes(allProjects) ? 'all projects' : projects.join(', ')} in ${environment}`;
}

/** Returns the date, with the time if it is less than a day away. */
function formatTime(time: Date): string {
  const text = time.toISOString();
  return time.getTime() - Date.now() > dayMs ? text.slice(0, 10) : `${text.slice(0, 16)}Z`;
}
