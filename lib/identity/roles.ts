import { codec } from '../entity/codec.ts';
import { type Entity, entity } from '../entity/entity.ts';
import type { Reference } from '../entity/references.ts';
import type { Effects } from '../entity/step.ts';
import { type ApiError, invalid } from '../errors.ts';
import type { Role } from '../people/roles/role-schema.ts';
import type { Request } from '../request.ts';
import { keysIn } from '../store/client/definition.ts';
import { type Standing, standingOf } from '../store/transactions/authority.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import {
  builtInPermissionsOf,
  customRolesFrom,
  type ProjectRole,
  projectRoles,
  type RolePermission,
  type RootRole,
  rootRoles,
} from './permissions.ts';

/** A role of the team's own: one that holds everywhere, or one that holds in a project. */
export interface CustomRole {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly type: 'root-custom' | 'custom';
  readonly permissions: readonly RolePermission[];
  readonly createdAt: string;
}

/** Most custom roles there may be. */
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
  shown: ({ createdAt: _createdAt, ...shown }) => shown,
});

/** Returns the id of a new role, from the number that counts them: lower ones are those of the built-in roles. */
export function customRoleId(number: number): number {
  return customRolesFrom + number;
}

/** Permissions of a role, and the item that grants them, unless the role is built in. */
export interface RoleRights {
  readonly permissions: readonly RolePermission[];
  readonly standing: readonly Standing[];
}

/** Loads the permissions of roles by their ids; an unknown role has none. */
export async function loadRoleRights(request: Request, ids: readonly number[]): Promise<(id: number) => RoleRights> {
  const others = ids.filter((id) => builtInPermissionsOf(id) === undefined);
  const own = await customRoles.someVersioned(request, others);
  return (id) => {
    const found = own.get(id);
    if (found === undefined) return { permissions: builtInPermissionsOf(id) ?? [], standing: [] };
    return { permissions: found.value.permissions, standing: [standingOf(customRoles.keyOf(id), found)] };
  };
}

/** Returns the error for an unknown role: a 400, since clients name roles in bodies only. */
function unknownRole(id: number): ApiError {
  return invalid(`There is no role with the id ${id}.`);
}

/** The roles of a user or group in a project. */
export interface ProjectRoles {
  readonly project: string;
  /** Their ids. */
  readonly roles: readonly number[];
  readonly addedAt: string;
}

/** Returns the ids of the roles of a user or group in each of their projects, as events show them. */
export function rolesByProject(projectRoles: readonly ProjectRoles[]): Readonly<Record<string, readonly number[]>> {
  return Object.fromEntries(projectRoles.map(({ project, roles }) => [project, roles]));
}

/** Holder of roles: a user, a service account or a group. */
export interface RoleHolder {
  readonly rootRole?: number;
  readonly projectRoles: readonly ProjectRoles[];
}

/** Returns the roles of a holder in a project; undefined without any. */
export function rolesIn(holder: Pick<RoleHolder, 'projectRoles'> | undefined, project: string | undefined) {
  return holder?.projectRoles.find((each) => each.project === project);
}

/** Use of a role by a user or group. */
interface RoleUse {
  /** Projects in which they have it; missing for a root role. */
  readonly projects: readonly string[];
}

/**
 * Returns the references from a user or group to custom roles, which cannot be deleted while these last.
 * @param kind kind of the holder, such as `user`.
 * @param name name of the holder for error messages.
 */
export function roleReferences(
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

/** Most custom roles that are removed with their holder, and in one step before that; each takes two writes. */
const [lastRoles, rolesAtOnce] = [10, 30];

/** Returns the removal of some custom roles from a holder of too many to be deleted in one transaction; undefined of few. */
export function rolesLessened<T extends RoleHolder>(
  { updated }: Pick<Entity<T, number>, 'updated'>,
  before: Versioned<T>,
): Effects | undefined {
  const all = new Set(before.value.projectRoles.flatMap(({ roles }) => roles));
  const own = [...all].filter((role) => builtInPermissionsOf(role) === undefined);
  if (own.length <= lastRoles) return undefined;
  const taken = own.slice(0, rolesAtOnce);
  const projectRoles = before.value.projectRoles
    .map((each) => ({ ...each, roles: each.roles.filter((role) => !taken.includes(role)) }))
    .filter(({ roles }) => roles.length > 0);
  return updated(before, { ...before.value, projectRoles });
}

/** Descriptions of the built-in roles, for people. */
const descriptions: Readonly<Record<RootRole | ProjectRole, string>> = {
  Admin: 'May do everything.',
  Editor: 'May change everything in all projects, and what projects share; not users, roles and settings.',
  Viewer: 'May read.',
  Owner: 'May change everything in the project, and the project itself.',
  Member: 'May change the features of the project.',
  Reader: 'May read, in a private project too.',
  Approver: 'May approve, apply and reject the change requests of others in the project.',
};

const views = <Name extends RootRole | ProjectRole>(ids: Readonly<Record<Name, number>>, type: 'root' | 'project') =>
  (Object.keys(ids) as Name[]).map((name): Role => ({ id: ids[name], name, type, description: descriptions[name] }));

/** The roles that come with the service. */
export const builtInRoleViews = /* @__PURE__ */ views(rootRoles, 'root').concat(
  /* @__PURE__ */ views(projectRoles, 'project'),
);

export function roleView({ id, name, type, description }: Pick<CustomRole, keyof Role & keyof CustomRole>): Role {
  return { id, name, type, description };
}

/** Tells whether a role holds everywhere. */
export const isRootRole = ({ type }: Pick<Role, 'type'>) => type === 'root' || type === 'root-custom';

/** Lists all roles, the built-in ones first. */
export async function listRoles(request: Request): Promise<Role[]> {
  return [...builtInRoleViews, ...(await customRoles.list(request)).map(roleView)];
}

/** Returns those of the roles that exist, in the order of the ids. */
export async function someRoles(request: Request, ids: readonly number[]): Promise<Role[]> {
  const builtIn = new Map(builtInRoleViews.map((role) => [role.id, role]));
  const others = ids.filter((id) => !builtIn.has(id));
  const own = await customRoles.some(request, others);
  return ids.flatMap((id) => {
    const custom = own.get(id);
    return builtIn.get(id) ?? (custom === undefined ? [] : roleView(custom));
  });
}
