import type { Permission } from './permission-table.ts';

export type { Permission };

/** Root permissions of an Editor. */
const editorPermissions = [
  'CREATE_ADDON',
  'UPDATE_ADDON',
  'DELETE_ADDON',
  'CREATE_CONTEXT_FIELD',
  'UPDATE_CONTEXT_FIELD',
  'DELETE_CONTEXT_FIELD',
  'CREATE_PROJECT',
  'CREATE_SEGMENT',
  'UPDATE_SEGMENT',
  'DELETE_SEGMENT',
  'CREATE_STRATEGY',
  'UPDATE_STRATEGY',
  'DELETE_STRATEGY',
  'CREATE_TAG_TYPE',
  'UPDATE_TAG_TYPE',
  'DELETE_TAG_TYPE',
  'UPDATE_APPLICATION',
  'RELEASE_PLAN_TEMPLATE_CREATE',
  'RELEASE_PLAN_TEMPLATE_UPDATE',
  'READ_CLIENT_API_TOKEN',
  'READ_FRONTEND_API_TOKEN',
] as const satisfies readonly Permission[];

/** Permissions of a Member in a project, and in each of its environments. */
const memberPermissions = [
  'CREATE_FEATURE',
  'UPDATE_FEATURE',
  'DELETE_FEATURE',
  'UPDATE_FEATURE_DEPENDENCY',
  'UPDATE_FEATURE_VARIANTS',
  'CREATE_PROJECT_API_TOKEN',
  'READ_PROJECT_API_TOKEN',
  'DELETE_PROJECT_API_TOKEN',
  'CREATE_FEATURE_STRATEGY',
  'UPDATE_FEATURE_STRATEGY',
  'DELETE_FEATURE_STRATEGY',
  'UPDATE_FEATURE_ENVIRONMENT',
  'UPDATE_FEATURE_ENVIRONMENT_VARIANTS',
] as const satisfies readonly Permission[];

const ownerPermissions = [
  ...memberPermissions,
  'UPDATE_PROJECT',
  'DELETE_PROJECT',
  'MOVE_FEATURE_TOGGLE',
  'UPDATE_PROJECT_SEGMENT',
  'UPDATE_PROJECT_CONTEXT',
] as const satisfies readonly Permission[];

/** Permissions to review the changes of others, in each environment of a project. */
const approverPermissions = ['APPROVE_CHANGE_REQUEST', 'APPLY_CHANGE_REQUEST'] as const satisfies readonly Permission[];

/** The other permissions of projects and their environments. */
const otherProjectPermissions = [
  ...approverPermissions,
  'PROJECT_USER_ACCESS_READ',
  'PROJECT_USER_ACCESS_WRITE',
  'PROJECT_DEFAULT_STRATEGY_READ',
  'PROJECT_DEFAULT_STRATEGY_WRITE',
  'PROJECT_CHANGE_REQUEST_READ',
  'PROJECT_CHANGE_REQUEST_WRITE',
  'PROJECT_SETTINGS_READ',
  'PROJECT_SETTINGS_WRITE',
  'SKIP_CHANGE_REQUEST',
] as const satisfies readonly Permission[];

/** Permissions that no agent has, not even that of an Admin: they decide on change requests, or let lists show the secrets of tokens. */
const keptFromAgents: ReadonlySet<Permission> = new Set([
  ...approverPermissions,
  'SKIP_CHANGE_REQUEST',
  'CREATE_CLIENT_API_TOKEN',
  'CREATE_FRONTEND_API_TOKEN',
  'CREATE_PROJECT_API_TOKEN',
]);

/** Tells whether an agent lacks a permission even if the person has it for whom it acts. */
export function isKeptFromAgents(permission: Permission): boolean {
  return keptFromAgents.has(permission);
}

const projectPermissions: ReadonlySet<Permission> = new Set([...ownerPermissions, ...otherProjectPermissions]);

/** Tells whether a permission is given in a project or an environment; the others hold everywhere. @internal */
export function isProjectPermission(permission: Permission): boolean {
  return projectPermissions.has(permission);
}

/** A permission of a role. Without an environment, it holds in all of them. */
export interface RolePermission {
  readonly name: Permission;
  readonly environment?: string;
}

/**
 * The ids of the built-in roles, as in Unleash. Unleash has no Approver: its id is higher than those of custom roles, which
 * count up.
 */
export const rootRoles = { Admin: 1, Editor: 2, Viewer: 3 } as const;
export type RootRole = keyof typeof rootRoles;
export const projectRoles = { Owner: 4, Member: 5, Reader: 6, Approver: 1_000_000_000 } as const;
export type ProjectRole = keyof typeof projectRoles;

const everywhere = (names: readonly Permission[]) => names.map((name): RolePermission => ({ name }));

/** Permissions of the built-in roles. */
const builtInPermissions: ReadonlyMap<number, readonly RolePermission[]> = new Map([
  [rootRoles.Admin, everywhere(['ADMIN'])],
  // An Editor's rights in projects hold in all of them.
  [rootRoles.Editor, everywhere([...editorPermissions, ...ownerPermissions])],
  [rootRoles.Viewer, []],
  [projectRoles.Owner, everywhere(ownerPermissions)],
  [projectRoles.Member, everywhere(memberPermissions)],
  [projectRoles.Reader, []],
  [projectRoles.Approver, everywhere(approverPermissions)],
]);

/** The number of built-in roles. */
export const builtInRoleCount = builtInPermissions.size;

/** The ids of custom roles are higher. */
export const customRolesFrom = projectRoles.Reader;

/** Returns the permissions of a built-in role; undefined for any other id. */
export function builtInPermissionsOf(id: number): readonly RolePermission[] | undefined {
  return builtInPermissions.get(id);
}

export function rootRoleNameOf(id: number): RootRole | undefined {
  return nameIn(rootRoles, id);
}

export function projectRoleNameOf(id: number): ProjectRole | undefined {
  return nameIn(projectRoles, id);
}

function nameIn<Name extends string>(ids: Readonly<Record<Name, number>>, id: number): Name | undefined {
  return (Object.keys(ids) as Name[]).find((name) => ids[name] === id);
}

/** The environments of each permission; `*` stands for all. */
type PermissionMap = ReadonlyMap<Permission, ReadonlySet<string>>;

/** The rights of a user: those that hold in all projects, and those in single ones. */
export interface Rights {
  readonly everywhere: PermissionMap;
  /** Permissions by project; a role without permissions counts, too. */
  readonly projects: ReadonlyMap<string, PermissionMap>;
}

const allEnvironments = '*';

/** Merges the permissions of a user's roles, including those of their groups. */
export function buildRights(
  root: Iterable<readonly RolePermission[]>,
  projects: Iterable<readonly [project: string, role: readonly RolePermission[]]>,
): Rights {
  const byProject = Map.groupBy(projects, ([project]) => project);
  return {
    everywhere: mapPermissions(root),
    projects: new Map(
      [...byProject].map(([project, roles]) => [project, mapPermissions(roles.map(([, role]) => role))]),
    ),
  };
}

function mapPermissions(roles: Iterable<readonly RolePermission[]>): PermissionMap {
  const permissions = new Map<Permission, Set<string>>();
  for (const { name, environment = allEnvironments } of [...roles].flat()) {
    const environments = permissions.get(name) ?? new Set();
    permissions.set(name, environments.add(environment));
  }
  return permissions;
}

/**
 * Tells whether the rights include a permission. ADMIN includes everything. Only this function and `allowsByName` decide about
 * rights.
 * @param project required for permissions of projects and environments.
 * @param environment for permissions of environments; without one, the permission must hold in all.
 */
export function allows(rights: Rights, permission: Permission, project?: string, environment?: string): boolean {
  return rights.everywhere.has('ADMIN') || allowsByName(rights, permission, project, environment);
}

/** Tells as `allows` does whether the rights include a permission, but ADMIN includes only itself. */
export function allowsByName(
  { everywhere, projects }: Rights,
  permission: Permission,
  project?: string,
  environment?: string,
): boolean {
  const holds = (permissions: PermissionMap | undefined) => {
    const environments = permissions?.get(permission);
    if (environments === undefined) return false;
    return environments.has(allEnvironments) || (environment !== undefined && environments.has(environment));
  };
  return holds(everywhere) || (project !== undefined && holds(projects.get(project)));
}

/** Tells whether a user belongs to a project: they have a role in it, or rights in all projects. */
export function isMember({ everywhere, projects }: Rights, project: string): boolean {
  return projects.has(project) || everywhere.has('ADMIN') || [...everywhere.keys()].some(isProjectPermission);
}

/** A permission of a user, and where it holds; the project `*` stands for all. */
export interface Grant {
  readonly permission: Permission;
  readonly project?: string;
  readonly environment?: string;
}

/**
 * Lists the permissions that `allows` allows. For an Admin that is ADMIN alone, and SKIP_CHANGE_REQUEST where a role names it:
 * an admin UI does not take that from ADMIN.
 */
export function listGrants({ everywhere, projects }: Rights): Grant[] {
  const inProject = (project: string, permissions: PermissionMap) =>
    [...permissions].flatMap(([permission, environments]): Grant[] =>
      isProjectPermission(permission)
        ? [...environments].map((environment) => ({ permission, project, environment }))
        : [],
    );
  const ofProjects = [
    ...inProject('*', everywhere),
    ...[...projects].flatMap(([id, permissions]) => inProject(id, permissions)),
  ];
  if (everywhere.has('ADMIN'))
    return [{ permission: 'ADMIN' }, ...ofProjects.filter(({ permission }) => permission === 'SKIP_CHANGE_REQUEST')];
  return [
    ...[...everywhere.keys()].flatMap((permission) => (isProjectPermission(permission) ? [] : [{ permission }])),
    ...ofProjects,
  ];
}
