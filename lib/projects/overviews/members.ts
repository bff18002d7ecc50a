import type { Members } from '../../people/accounts.ts';
import { projectRoles } from '../../people/rights/permissions.ts';
import { type RoleHolder, rolesIn } from '../../people/roles/roles.ts';
import { signatureOf } from '../../people/users.ts';
import type { ListedProject } from '../project-schema.ts';

/** Counts the users and service accounts with a role in a project, their own or that of a group. */
export function memberCount({ users, serviceAccounts, groups }: Members, project: string): number {
  const byGroup = new Set(groups.filter((group) => rolesIn(group, project)).map(({ id }) => id));
  return [...users, ...serviceAccounts].filter(
    (account) => rolesIn(account, project) || account.groups.some((id) => byGroup.has(id)),
  ).length;
}

/** Returns the holders of the role Owner in a project; the service where there are none. */
export function ownersOf({ users, serviceAccounts, groups }: Members, project: string): ListedProject['owners'] {
  const isOwner = (holder: RoleHolder) => rolesIn(holder, project)?.roles.includes(projectRoles.Owner);
  const owners: ListedProject['owners'] = [
    ...[...users, ...serviceAccounts].filter(isOwner).map((account) => ({
      ...{ ownerType: 'user' as const, name: account.name ?? signatureOf(account), email: account.email ?? null },
    })),
    ...groups.filter(isOwner).map(({ name }) => ({ ownerType: 'group' as const, name })),
  ];
  return owners.length === 0 ? [{ ownerType: 'system' }] : owners;
}
