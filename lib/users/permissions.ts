/** What a user may do, by the names that Unleash gives it. */
const rootPermissions = [
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
] as const;

/** What a Member of a project may do there, in each of its environments. */
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
] as const;

const ownerPermissions = [
  ...memberPermissions,
  'UPDATE_PROJECT',
  'DELETE_PROJECT',
  'MOVE_FEATURE_TOGGLE',
  'UPDATE_PROJECT_CONTEXT',
] as const;

/** Permissions that only Admin holds, or that a role of one's own could hold one day. */
const otherPermissions = [
  'ADMIN',
  'PROJECT_DEFAULT_STRATEGY_WRITE',
  'PROJECT_SETTINGS_WRITE',
  'CREATE_CLIENT_API_TOKEN',
  'UPDATE_CLIENT_API_TOKEN',
  'DELETE_CLIENT_API_TOKEN',
  'CREATE_FRONTEND_API_TOKEN',
  'UPDATE_FRONTEND_API_TOKEN',
  'DELETE_FRONTEND_API_TOKEN',
] as const;

export const permissions = [...rootPermissions, ...ownerPermissions, ...otherPermissions] as const;
export type Permission = (typeof permissions)[number];

/** Role ids as Unleash numbers them. */
export const rootRoles = { Admin: 1, Editor: 2, Viewer: 3 } as const;
export type RootRole = keyof typeof rootRoles;
export const projectRoles = { Owner: 4, Member: 5 } as const;
export type ProjectRole = keyof typeof projectRoles;

/** All roles that a user holds, those of their groups included. */
export interface Roles {
  readonly root: readonly RootRole[];
  readonly projects: ReadonlyMap<string, ProjectRole>;
}

const projectRolePermissions: Record<ProjectRole, readonly Permission[]> = {
  Owner: ownerPermissions,
  Member: memberPermissions,
};

const rootRolePermissions: Record<Exclude<RootRole, 'Admin'>, readonly Permission[]> = {
  // An Editor's rights in projects hold in all of them.
  Editor: [...rootPermissions, ...ownerPermissions],
  Viewer: [],
};

/**
 * Whether the roles allow what a permission names, in a project where the permission is one of projects. A permission
 * in a project holds in all its environments.
 */
export function allows({ root, projects }: Roles, permission: Permission, project?: string): boolean {
  if (root.some((role) => role === 'Admin' || rootRolePermissions[role].includes(permission))) return true;
  const role = project === undefined ? undefined : projects.get(project);
  return role !== undefined && projectRolePermissions[role].includes(permission);
}

/** A permission that roles give, in a project where the permission is one of projects; `*` stands for all. */
export interface Grant {
  readonly permission: Permission;
  readonly project?: string;
  readonly environment?: string;
}

/** What `allows` allows, as a list. */
export function grantsOf({ root, projects }: Roles): Grant[] {
  if (root.includes('Admin')) return [{ permission: 'ADMIN' }];
  const inProject = (project: string, names: readonly Permission[]) =>
    names.map((permission) => ({ permission, project, environment: '*' }));
  const ofEditor = root.includes('Editor')
    ? [...rootPermissions.map((permission) => ({ permission })), ...inProject('*', ownerPermissions)]
    : [];
  return [...ofEditor, ...[...projects].flatMap(([id, role]) => inProject(id, projectRolePermissions[role]))];
}

export function rootRoleName(id: number): RootRole | undefined {
  return (Object.keys(rootRoles) as RootRole[]).find((role) => rootRoles[role] === id);
}
