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

/** Permissions for the changes that others want to make, in each of the environments of a project. */
const approverPermissions = ['APPROVE_CHANGE_REQUEST', 'APPLY_CHANGE_REQUEST'] as const satisfies readonly Permission[];

/** The other permissions that hold in a project or an environment of it. */
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

const projectPermissions: ReadonlySet<Permission> = new Set([...ownerPermissions, ...otherProjectPermissions]);

/** Tells whether a permission holds in a project or in one of its environments; the others hold everywhere. */
export function isOfProjects(permission: Permission): boolean {
  return projectPermissions.has(permission);
}

/** A permission of a role. One of environments holds in the environment that it names, or in all. */
export interface RolePermission {
  readonly name: Permission;
  readonly environment?: string;
}

/**
 * The roles that come with the service: their ids, as Unleash has them, which has no Approver. Its id is beyond those that
 * a team's own roles have ever been given, since these count up.
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

/** The number of the roles that come with the service. */
export const builtInRoleCount = builtInPermissions.size;

/** The id after which those of a team's own roles begin. */
export const customRolesFrom = projectRoles.Reader;

/** Returns the permissions of a built-in role; undefined for any other id. */
export function builtInPermissionsOf(id: number): readonly RolePermission[] | undefined {
  return builtInPermissions.get(id);
}

export function rootRoleName(id: number): RootRole | undefined {
  return nameIn(rootRoles, id);
}

export function projectRoleName(id: number): ProjectRole | undefined {
  return nameIn(projectRoles, id);
}

function nameIn<Name extends string>(ids: Readonly<Record<Name, number>>, id: number): Name | undefined {
  return (Object.keys(ids) as Name[]).find((name) => ids[name] === id);
}

/** Environments in which a user holds each permission; `*` stands for all. */
type Holding = ReadonlyMap<Permission, ReadonlySet<string>>;

/** Rights of a user: in all projects, and in single ones. */
export interface Rights {
  readonly everywhere: Holding;
  /** Permissions by project, for every project in which they have a role, even one that allows nothing. */
  readonly projects: ReadonlyMap<string, Holding>;
}

const allEnvironments = '*';

/** Merges the permissions of a user's roles, including those of their groups. */
export function rightsOf(
  root: Iterable<readonly RolePermission[]>,
  projects: Iterable<readonly [project: string, role: readonly RolePermission[]]>,
): Rights {
  const byProject = Map.groupBy(projects, ([project]) => project);
  return {
    everywhere: holdingOf(root),
    projects: new Map([...byProject].map(([project, roles]) => [project, holdingOf(roles.map(([, role]) => role))])),
  };
}

function holdingOf(roles: Iterable<readonly RolePermission[]>): Holding {
  const holding = new Map<Permission, Set<string>>();
  for (const { name, environment = allEnvironments } of [...roles].flat()) {
    const environments = holding.get(name) ?? new Set();
    holding.set(name, environments.add(environment));
  }
  return holding;
}

/**
 * Decides whether the rights include a permission; with `names`, nothing else decides about rights. ADMIN includes
 * everything.
 * @param project required for permissions of projects and environments.
 * @param environment for permissions of environments; without one, the permission must hold in all.
 */
export function allows(rights: Rights, permission: Permission, project?: string, environment?: string): boolean {
  return rights.everywhere.has('ADMIN') || names(rights, permission, project, environment);
}

/** Decides as `allows` does whether the rights include a permission by its own name; ADMIN includes only itself. */
export function names(
  { everywhere, projects }: Rights,
  permission: Permission,
  project?: string,
  environment?: string,
): boolean {
  const holds = (holding: Holding | undefined) => {
    const environments = holding?.get(permission);
    if (environments === undefined) return false;
    return environments.has(allEnvironments) || (environment !== undefined && environments.has(environment));
  };
  return holds(everywhere) || (project !== undefined && holds(projects.get(project)));
}

/** Tells whether a user belongs to a project: they have a role in it, or rights in all projects. */
export function isMember({ everywhere, projects }: Rights, project: string): boolean {
  return projects.has(project) || everywhere.has('ADMIN') || [...everywhere.keys()].some(isOfProjects);
}

/** Permission that a user has, in a project if it is one of projects; `*` stands for all. */
export interface Grant {
  readonly permission: Permission;
  readonly project?: string;
  readonly environment?: string;
}

/**
 * Lists everything that `allows` allows. Of an Admin, ADMIN says so; an admin UI, for which it leaves out what skips
 * approval, finds that where one of their roles has it.
 */
export function grantsOf({ everywhere, projects }: Rights): Grant[] {
  const inProject = (project: string, holding: Holding) =>
    [...holding].flatMap(([permission, environments]): Grant[] =>
      isOfProjects(permission) ? [...environments].map((environment) => ({ permission, project, environment })) : [],
    );
  const ofProjects = [
    ...inProject('*', everywhere),
    ...[...projects].flatMap(([id, holding]) => inProject(id, holding)),
  ];
  if (everywhere.has('ADMIN'))
    return [{ permission: 'ADMIN' }, ...ofProjects.filter(({ permission }) => permission === 'SKIP_CHANGE_REQUEST')];
  return [
    ...[...everywhere.keys()].flatMap((permission) => (isOfProjects(permission) ? [] : [{ permission }])),
    ...ofProjects,
  ];
}
