import { type Account, loadMembers } from '../identity/accounts.ts';
import type { Group } from '../identity/groups.ts';
import type { Request } from '../request.ts';
import { accountViewOf, memberViewsOf, visibleProjectsOf } from './account-views.ts';
import { viewGroups } from './groups/groups-in-reply.ts';
import type { ShownAccount, UserGroup } from './rights/access-schema.ts';

export interface AccessList {
  readonly users: readonly ShownAccount[];
  readonly groups: readonly UserGroup[];
}

/** Lists all users, service accounts and groups, with the members of groups unless they do not fit into a reply. */
export async function listAccess(request: Request): Promise<AccessList> {
  const { users, serviceAccounts, groups } = await loadMembers(request);
  const accounts = [...users, ...serviceAccounts];
  const byId = new Map(accounts.map((account) => [account.id, account]));
  const shown = accounts.map(accountViewOf);
  return {
    users: shown,
    groups: viewGroups(request, groups, byId, (group, members) => userGroupOf(request, group, members), shown),
  };
}

function userGroupOf(request: Request, group: Group, accounts: ReadonlyMap<number, Account>): UserGroup {
  const users = memberViewsOf(group, accounts, accountViewOf);
  const projects = visibleProjectsOf(request, group);
  return {
    id: group.id,
    name: group.name,
    ...(group.description && { description: group.description }),
    ...(group.mappingsSSO.length > 0 && { mappingsSSO: [...group.mappingsSSO] }),
    ...(group.rootRole !== undefined && { rootRole: group.rootRole }),
    createdBy: group.createdBy,
    createdAt: group.createdAt,
    users,
    ...(projects.length > 0 && { projects }),
    userCount: users.length,
  };
}
