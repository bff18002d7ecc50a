import { notFound } from '../../errors.ts';
import { formatCsv } from '../../helpers/csv.ts';
import { type Account, loadAccounts, loadMembers } from '../../identity/accounts.ts';
import { loadRightsSources, mergeRights } from '../../identity/caller.ts';
import { groups } from '../../identity/groups.ts';
import { type PermissionKind, permissionTable } from '../../identity/permission-table.ts';
import { allows } from '../../identity/permissions.ts';
import { findProjectRoles, listRoles, loadRoles } from '../../identity/roles.ts';
import type { Request } from '../../request.ts';
import { accountViewOf } from '../account-views.ts';
import { permissionViewOf } from '../roles/administer-roles.ts';
import type { AccessOverview, PermissionOverview, PermissionPlace } from './access-overview-schema.ts';

/** Lists the access of all users. */
export async function listAccessOverview(request: Request): Promise<AccessOverview[]> {
  const [{ users, groups: all }, roles] = await Promise.all([loadMembers(request), listRoles(request)]);
  const roleNames = new Map(roles.map(({ id, name }) => [id, name]));
  const groupsById = new Map(all.map((group) => [group.id, group]));
  return users.map((user) => {
    const memberships = user.groups.flatMap((id) => groupsById.get(id) ?? []);
    const projects = [user, ...memberships].flatMap(({ projectRoles }) => projectRoles.map(({ project }) => project));
    return {
      userId: user.id,
      userName: user.name ?? user.username ?? null,
      userEmail: user.email ?? '',
      createdAt: user.createdAt,
      lastSeen: user.seenAt ?? null,
      rootRole: roleNames.get(user.rootRole) ?? '',
      accessibleProjects: [...new Set(projects)].toSorted(),
      groups: memberships.map(({ name }) => name),
    };
  });
}

const columns = [
  ...(['userId', 'userName', 'userEmail', 'createdAt', 'lastSeen'] as const),
  ...(['rootRole', 'accessibleProjects', 'groups'] as const),
];

/** Formats the access of users as CSV. */
export function formatOverview(overview: readonly AccessOverview[]): string {
  const rows = overview.map((entry) => columns.map((column) => [entry[column] ?? ''].flat().join(', ')));
  return formatCsv(columns, rows);
}

/**
 * Loads all permissions, and whether an account has them: everywhere, in a project or in an environment of it.
 * @throws ApiError 404 for an unknown id.
 */
export async function loadPermissionOverview(
  request: Request,
  id: number,
  { project, environment }: PermissionPlace,
  isOfKind: (account: Account) => boolean,
): Promise<PermissionOverview> {
  const versioned = (await loadAccounts(request, [id])).get(id);
  if (versioned === undefined || !isOfKind(versioned.value)) throw notFound('account', id);
  const account = versioned.value;
  const [sources, memberships] = await Promise.all([
    loadRightsSources(request, versioned),
    groups.findSome(request, account.groups),
  ]);
  const rights = mergeRights(sources);
  const inProject = [account, ...memberships.values()].flatMap(
    (holder) => findProjectRoles(holder, project)?.roles ?? [],
  );
  const roles = await loadRoles(request, [account.rootRole, ...new Set(inProject)]);
  const rootRole = roles.find((role) => role.id === account.rootRole);
  if (rootRole === undefined) throw notFound('role', account.rootRole);
  const ofKind = (kind: PermissionKind) =>
    permissionTable[kind].map(([, name]) => ({
      ...permissionViewOf({ name, ...(kind === 'environment' && environment && { environment }) }),
      hasPermission: allows(rights, name, project, environment),
    }));
  return {
    overview: {
      root: ofKind('root'),
      project: ofKind('project'),
      environment: environment === undefined ? [] : ofKind('environment'),
    },
    user: accountViewOf(account),
    rootRole,
    projectRoles: roles
      .filter((role) => inProject.includes(role.id))
      .map((role) => ({ ...role, ...(project !== undefined && { project }) })),
  };
}
