import { codec } from '../entity/codec.ts';
import type { Effects } from '../entity/effects.ts';
import { type Entity, entity } from '../entity/entity.ts';
import type { Reference } from '../entity/references.ts';
import { type ApiError, invalid } from '../errors.ts';
import type { Role } from '../people/roles/role-schema.ts';
import type { Request } from '../request.ts';
import { keysIn } from '../store/client/definition.ts';
import { rightsConditionOf } from '../store/transactions/authority.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import type { RightsCondition } from '../store/transactions/write.ts';
import {
  builtInPermissionsOf,
  customRolesFrom,
  type ProjectRole,
  projectRoles,
  type RolePermission,
  type RootRole,
  rootRoles,
} from './permissions.ts';

/** A role that is not built in. Of type `root-custom` it holds everywhere, of type `custom` in a project. */
export interface CustomRole {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly type: 'root-custom' | 'custom';
  readonly permissions: readonly RolePermission[];
  readonly createdAt: string;
}

/** The most custom roles. */
const customRolesMax = 200;

export const customRoles = entity<CustomRole, number>({
  kind: 'role',
  idOf: ({ id }) => id,
  partition: { pk: 'ROLES', prefix: 'ID#' },
  codec: codec<CustomRole>({ permissions: true }),
  unique: { name: keysIn({ pk: 'ROLES', prefix: 'NAME#' }) },
  counter: 'role',
  max: customRolesMax,
  referable: true,
  events: { created: 'role-created', updated: 'role-updated', deleted: 'role-deleted' },
  eventData: ({ createdAt: _createdAt, ...shown }) => shown,
});

/** Returns the id of the nth custom role. */
export function customRoleIdOf(n: number): number {
  return customRolesFrom + n;
}

/** The permissions of a role, and the condition that a custom role stays the same. */
export interface RoleRights {
  readonly permissions: readonly RolePermission[];
  readonly conditions: readonly RightsCondition[];
}

/** Loads the permissions of roles; an unknown role has none. */
export async function loadRoleRights(request: Request, ids: readonly number[]): Promise<(id: number) => RoleRights> {
  const others = ids.filter((id) => builtInPermissionsOf(id) === undefined);
  const custom = await customRoles.findSomeVersioned(request, others);
  return (id) => {
    const role = custom.get(id);
    if (role === undefined) return { permissions: builtInPermissionsOf(id) ?? [], conditions: [] };
    return { permissions: role.value.permissions, conditions: [rightsConditionOf(customRoles.keyOf(id), role)] };
  };
}

/** The error for an unknown role is a 400, since clients name roles only in bodies. */
function unknownRole(id: number): ApiError {
  return invalid(`There is no role with the id ${id}.`);
}

/** The roles of a user or group in a project. */
export interface ProjectRoles {
  readonly project: string;
  readonly roles: readonly number[];
  readonly addedAt: string;
}

/** Returns the role ids of a user or group by project, as events show them. */
export function roleIdsByProject(projectRoles: readonly ProjectRoles[]): Readonly<Record<string, readonly number[]>> {
  return Object.fromEntries(projectRoles.map(({ project, roles }) => [project, roles]));
}

/** A user, a service account or a group. */
export interface RoleHolder {
  readonly rootRole?: number;
  readonly projectRoles: readonly ProjectRoles[];
}

/** Returns the roles of a holder in a project; undefined if they are no member. */
export function findProjectRoles(holder: Pick<RoleHolder, 'projectRoles'> | undefined, project: string | undefined) {
  return holder?.projectRoles.find((roles) => roles.project === project);
}

/** The use of a role by a user or group. */
interface RoleUse {
  /** Empty for a root role. */
  readonly projects: readonly string[];
}

/**
 * Builds the references from a user or group to their custom roles, which keep these from being deleted.
 * @param kind the kind of the holder, such as `user`.
 * @param name the name of the holder in error messages.
 */
export function buildRoleReferences(
  { rootRole, projectRoles }: RoleHolder,
  kind: string,
  { id, name }: { readonly id: number; readonly name: string },
): Reference[] {
  const projectsOf = new Map<number, string[]>(rootRole === undefined ? [] : [[rootRole, []]]);
  for (const { project, roles } of projectRoles) {
    for (const role of roles) projectsOf.set(role, [...(projectsOf.get(role) ?? []), project]);
  }
  return [...projectsOf]
    .filter(([role]) => builtInPermissionsOf(role) === undefined)
    .map(([role, projects]) => ({
      kind: customRoles.kind,
      id: role,
      target: customRoles.keyOf(role),
      otherwise: () => unknownRole(role),
      referrer: {
        by: `${kind} ${String(id).padStart(16, '0')}`,
        name: `the ${kind} "${name}"${projects.length === 0 ? '' : ` in ${projects.join(', ')}`}`,
        details: { projects } satisfies RoleUse,
      },
    }));
}

/** The most custom roles that a holder may have when they are deleted; each takes two writes of that transaction. */
const rolesOfDeletedMax = 10;
/** The custom roles that one transaction removes before. */
const rolesRemovedAtOnce = 30;

/** Builds the removal of some custom roles from a holder who has too many to be deleted; undefined if they have few. */
export function buildPartialRoleRemoval<T extends RoleHolder>(
  { buildUpdateEffects }: Pick<Entity<T, number>, 'buildUpdateEffects'>,
  before: Versioned<T>,
): Effects | undefined {
  const all = new Set(before.value.projectRoles.flatMap(({ roles }) => roles));
  const custom = [...all].filter((role) => builtInPermissionsOf(role) === undefined);
  if (custom.length <= rolesOfDeletedMax) return undefined;
  const removed = custom.slice(0, rolesRemovedAtOnce);
  const projectRoles = before.value.projectRoles
    .map((inProject) => ({ ...inProject, roles: inProject.roles.filter((role) => !removed.includes(role)) }))
    .filter(({ roles }) => roles.length > 0);
  return buildUpdateEffects(before, { ...before.value, projectRoles });
}

const descriptions: Readonly<Record<RootRole | ProjectRole, string>> = {
  Admin: 'May do everything.',
  Editor: 'May change everything in all projects, and what projects share; not users, roles and settings.',
  Viewer: 'May read.',
  Owner: 'May change everything in the project, and the project itself.',
  Member: 'May change the features of the project.',
  Reader: 'May read, in a private project too.',
  Approver: 'May approve, apply and reject the change requests of others in the project.',
};

const buildViews = <Name extends RootRole | ProjectRole>(
  ids: Readonly<Record<Name, number>>,
  type: 'root' | 'project',
) => (Object.keys(ids) as Name[]).map((name): Role => ({ id: ids[name], name, type, description: descriptions[name] }));

export const builtInRoleViews = /* @__PURE__ */ buildViews(rootRoles, 'root').concat(
  /* @__PURE__ */ buildViews(projectRoles, 'project'),
);

export function roleViewOf({ id, name, type, description }: Pick<CustomRole, keyof Role & keyof CustomRole>): Role {
  return { id, name, type, description };
}

/** Tells whether a role holds everywhere. */
export const isRootRole = ({ type }: Pick<Role, 'type'>) => type === 'root' || type === 'root-custom';

/** Lists all roles, the built-in ones first. */
export async function listRoles(request: Request): Promise<Role[]> {
  return [...builtInRoleViews, ...(await customRoles.list(request)).map(roleViewOf)];
}

/** Loads roles in the order of their ids; unknown ids are left out. */
export async function loadRoles(request: Request, ids: readonly number[]): Promise<Role[]> {
  const builtIn = new Map(builtInRoleViews.map((role) => [role.id, role]));
  const others = ids.filter((id) => !builtIn.has(id));
  const custom = await customRoles.findSome(request, others);
  return ids.flatMap((id) => {
    const role = custom.get(id);
    return builtIn.get(id) ?? (role === undefined ? [] : roleViewOf(role));
  });
}
