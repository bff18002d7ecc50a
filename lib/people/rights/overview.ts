import { notFound } from '../../errors.ts';
import { formatCsv } from '../../helpers/csv.ts';
import { type Account, loadAccounts, loadMembers } from '../../identity/accounts.ts';
import { loadRightsSources, mergeRights } from '../../identity/caller.ts';
import { groups } from '../../identity/groups.ts';
import { type PermissionKind, permissionTable } from '../../identity/permission-table.ts';
import { allows } from '../../identity/permissions.ts';
import { findProjectRoles, listRoles, loadRoles } from '../../identity/roles.ts';
import type { Request } from '../../request.ts';
import { accountView } from '../access-list.ts';
import { permissionView } from '../roles/administer-roles.ts';
import type { AccessOverview, PermissionOverview, PermissionPlace } from './access-overview-schema.ts';

/** Returns the access of all users. */
export async function accessOverview(request: Request): Promise<AccessOverview[]> {
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

/** Formats an overview as CSV. */
export function overviewCsv(overview: readonly AccessOverview[]): string {
  const rows = overview.map((entry) => columns.map((column) => [entry[column] ?? ''].flat().join(', ')));
  return formatCsv(columns, rows);
}

/**
 * Tells which permissions a user or a service account has, in the project and the environment if these are named.
 * @throws ApiError 404 for an unknown id.
 */
export async function permissionsOfAccount(
  request: Request,
  id: number,
  { project, environment }: PermissionPlace,
  isMeant: (account: Account) => boolean,
): Promise<PermissionOverview> {
  const found = (await loadAccounts(request, [id])).get(id);
  if (found === undefined || !isMeant(found.value)) throw notFound('account', id);
  const account = found.value;
  const [sources, memberships] = await Promise.all([
    loadRightsSources(request, found),
    groups.some(request, account.groups),
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
      ...permissionView({ name, ...(kind === 'environment' && environment && { environment }) }),
      hasPermission: allows(rights, name, project, environment),
    }));
  return {
    overview: {
      root: ofKind('root'),
      project: ofKind('project'),
      environment: environment === undefined ? [] : ofKind('environment'),
    },
    user: accountView(account),
    rootRole,
    projectRoles: roles
      .filter((role) => inProject.includes(role.id))
      .map((role) => ({ ...role, ...(project !== undefined && { project }) })),
  };
}
