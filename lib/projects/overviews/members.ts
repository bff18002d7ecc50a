import type { Members } from '../../people/accounts.ts';
import { projectRoles } from '../../people/rights/permissions.ts';
import { rolesIn } from '../../people/roles/roles.ts';
import { signatureOf } from '../../people/users.ts';
import type { ListedProject } from '../project-schema.ts';

/** Counts the users with a role in a project, their own or that of a group. */
export function memberCount(members: Members, project: string): number {
  const byGroup = new Set(members.groups.filter((group) => rolesIn(group, project)).map(({ id }) => id));
  return members.users.filter((user) => rolesIn(user, project) || user.groups.some((id) => byGroup.has(id))).length;
}

export function ownersOf({ users: all }: Members, project: string): ListedProject['owners'] {
  const owners = all.filter((user) => rolesIn(user, project)?.roles.includes(projectRoles.Owner));
  if (owners.length === 0) return [{ ownerType: 'system' }];
  return owners.map((user) => ({ ownerType: 'user', name: user.name ?? signatureOf(user), email: user.email ?? null }));
}
