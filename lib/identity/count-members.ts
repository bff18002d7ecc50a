import type { Members } from './accounts.ts';
import { findProjectRoles } from './roles.ts';

/** Counts the users and service accounts with a role in a project, their own or that of a group. */
export function countMembers({ users, serviceAccounts, groups }: Members, project: string): number {
  const groupIds = new Set(groups.filter((group) => findProjectRoles(group, project)).map(({ id }) => id));
  return [...users, ...serviceAccounts].filter(
    (account) => findProjectRoles(account, project) || account.groups.some((id) => groupIds.has(id)),
  ).length;
}
