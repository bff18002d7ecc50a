import { fitsAnswer } from '../events/answer-size.ts';
import { type Account, isServiceAccount, loadMembers } from '../identity/accounts.ts';
import type { Group } from '../identity/groups.ts';
import { filterVisibleProjects, type Request } from '../request.ts';
import type { ShownAccount, UserGroup } from './rights/access-schema.ts';

export interface AccessList {
  readonly users: readonly ShownAccount[];
  readonly groups: readonly UserGroup[];
}

/**
 * Lists all users, service accounts, and groups with their members, unless these are more than a reply holds. Fields without a
 * value are left out.
 */
export async function listAccess(request: Request): Promise<AccessList> {
  const { users, serviceAccounts, groups } = await loadMembers(request);
  const accounts = [...users, ...serviceAccounts];
  const known = new Map(accounts.map((each) => [each.id, each]));
  const list = { users: accounts.map(accountView), groups: groups.map((group) => groupView(request, group, known)) };
  if (fitsAnswer(list)) return list;
  return { ...list, groups: list.groups.map(({ users: _, ...group }) => group) };
}

/** Returns the properties of an account that everybody may know. */
export function accountView(account: Account): ShownAccount {
  const { id, name, username, email, rootRole, createdAt } = account;
  return {
    id,
    ...(name && { name }),
    ...(username && { username }),
    ...(email && { email }),
    rootRole,
    createdAt,
    accountType: isServiceAccount(account) ? 'Service Account' : 'User',
  };
}

/** Returns an account as those see it who give access: with its last sign-in. */
export function accountWithSignIn(account: Account): ShownAccount {
  const { seenAt } = account;
  return { ...accountView(account), ...(seenAt !== undefined && { seenAt }) };
}

/** Returns the members of a group; those that are gone are left out. */
export function memberViews(
  { members }: Group,
  known: ReadonlyMap<number, Account>,
  view: (account: Account) => ShownAccount,
): NonNullable<UserGroup['users']> {
  return members.flatMap(({ userId, joinedAt, createdBy }) => {
    const account = known.get(userId);
    return account === undefined ? [] : [{ joinedAt, createdBy, user: view(account) }];
  });
}

/** The projects in which a group has roles, as far as the caller may know of them. */
export function projectsOf(request: Request, { projectRoles }: Group): string[] {
  const projects = projectRoles.map(({ project }) => project);
  return filterVisibleProjects(request, projects);
}

function groupView(request: Request, group: Group, known: ReadonlyMap<number, Account>): UserGroup {
  const users = memberViews(group, known, accountView);
  const projects = projectsOf(request, group);
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
