import { allInOrder } from '../../entity/all-in-order.ts';
import { nameTaken } from '../../entity/entity.ts';
import { rename } from '../../entity/rename.ts';
import { environments } from '../../environments/environments.ts';
import { ApiError, type ErrorDetail, invalid, invalidRequest, notFound, truncate } from '../../errors.ts';
import type { Actor } from '../../events/actor.ts';
import { type Caller, requirePermission } from '../../identity/caller.ts';
import {
  type Permission,
  type PermissionKind,
  permissionKindOf,
  permissionOfId,
  permissionTable,
} from '../../identity/permission-table.ts';
import { builtInPermissionsOf, type RolePermission } from '../../identity/permissions.ts';
import { builtInRoleViews, type CustomRole, customRoleIdOf, customRoles, roleViewOf } from '../../identity/roles.ts';
import type { Request } from '../../request.ts';
import type { Versioned } from '../../store/transactions/versioned.ts';
import type { Write } from '../../store/transactions/write.ts';
import { distinctBy } from '../../values/lists.ts';
import { isName } from '../../values/primitives.ts';
import { rootRoleOf } from '../profile.ts';
import { type PermissionInput, type Role, type RoleInput, roleName, type ShownPermission } from './role-schema.ts';

/**
 * Creates a role.
 * @throws ApiError 409 for a name in use; 400 with all permissions that are none, or do not go with the role, with all
 * unknown environments, and for one role too many.
 */
export function createRole(
  request: Request,
  actor: Actor,
  { name, description, type = 'custom', permissions = [] }: RoleInput,
): Promise<Versioned<CustomRole>> {
  requireOwnName(name);
  const wanted = permissionsOf(permissions, type);
  return customRoles.create(
    request,
    actor,
    (createdAt, number) => ({
      id: customRoleIdOf(number),
      ...{ name, description: description ?? '', type, permissions: wanted, createdAt },
    }),
    environmentsAreThere(wanted),
    () => requireEnvironments(request, wanted),
  );
}

/**
 * Changes a role; what is left out stays, and its type never changes. All who have it get the new rights within
 * seconds.
 * @throws ApiError 403 for one that comes with the service; 404 for an unknown one; 409 and 400 as `createRole`.
 */
export async function updateRole(
  request: Request,
  actor: Actor,
  id: number,
  { name: sent, description, type, permissions }: RoleInput,
): Promise<Versioned<CustomRole>> {
  requireOwn(id);
  const { value } = await customRoles.load(request, id);
  const name = rename(value.name, sent, roleName);
  // One that is older than the built-in role of its name keeps it.
  if (name !== value.name) requireOwnName(name);
  if (type !== undefined && type !== value.type) {
    throw invalid(`The role "${truncate(value.name)}" has the type ${value.type}, which cannot be changed.`, 'type');
  }
  const wanted = permissions && permissionsOf(permissions, value.type);
  return customRoles.update(
    request,
    actor,
    id,
    (role) => ({
      ...role,
      name,
      ...(description !== undefined && { description: description ?? '' }),
      ...(wanted && { permissions: wanted }),
    }),
    environmentsAreThere(wanted ?? []),
    async () => {
      const [found] = await allInOrder([customRoles.load(request, id), requireEnvironments(request, wanted ?? [])]);
      return found;
    },
  );
}

/** @throws ApiError 403 for one that comes with the service; 404 for an unknown one; 409 that names who has it. */
export async function deleteRole(request: Request, actor: Actor, id: number): Promise<void> {
  requireOwn(id);
  await customRoles.remove(request, actor, id);
}

/**
 * Checks that a role could be created.
 * @throws ApiError as `createRole`.
 */
export async function validateRole(request: Request, { name, type = 'custom', permissions = [] }: RoleInput) {
  requireOwnName(name);
  const wanted = permissionsOf(permissions, type);
  await allInOrder([customRoles.requireFreeName(request, name), requireEnvironments(request, wanted)]);
}

/**
 * Returns a role to a caller who may read roles, or has it as root role: a page shows people their own.
 * @throws ApiError 403 if neither is so; 404 for an unknown role.
 */
export async function showRole(request: Request, caller: Caller, id: number) {
  const readRoles = ['ADMIN', 'READ_ROLE'] as const;
  const mayAll = readRoles.some((permission) => caller.may(permission));
  if (!mayAll && (await rootRoleOf(request, caller)) !== id) requirePermission(caller, readRoles);
  return findRole(request, id);
}

/** @throws ApiError 404 for an unknown role. */
export async function findRole(
  request: Request,
  id: number,
): Promise<Versioned<Role & { readonly permissions: ShownPermission[] }>> {
  const builtIn = builtInRoleViews.find((role) => role.id === id);
  const { value, version } = builtIn
    ? { value: { ...builtIn, permissions: builtInPermissionsOf(id) ?? [] }, version: 1 }
    : await customRoles.load(request, id);
  const permissions = value.permissions.map(permissionView);
  return { value: { ...('createdAt' in value ? roleViewOf(value) : value), permissions }, version };
}

/** Lists all permissions that roles can have; those of environments for each environment. */
export async function listPermissions(request: Request) {
  const all = await environments.list(request);
  const ofKind = (kind: PermissionKind, environment?: string) =>
    permissionTable[kind].map(([, name]) => permissionView({ name, ...(environment && { environment }) }));
  return {
    root: ofKind('root'),
    project: ofKind('project'),
    environments: all.map(({ name }) => ({ name, permissions: ofKind('environment', name) })),
  };
}

const rowOf = new Map(
  (Object.keys(permissionTable) as PermissionKind[]).flatMap((type) =>
    permissionTable[type].map(([id, name, displayName]) => [name, { id, name, displayName, type }] as const),
  ),
);

export function permissionView({ name, environment }: RolePermission): ShownPermission {
  const row = rowOf.get(name);
  if (row === undefined) throw notFound('permission', name);
  return { ...row, ...(environment !== undefined && { environment }) };
}

/** @throws ApiError 400 with all that are none, or do not go with a role of the type. */
function permissionsOf(inputs: readonly PermissionInput[], type: CustomRole['type']): RolePermission[] {
  const problems: ErrorDetail[] = [];
  const permissions = inputs.flatMap((input, index): RolePermission[] => {
    const problem = (message: string, part: string) => {
      problems.push({ message, path: `permissions.${index}.${part}` });
      return [];
    };
    const known = input.name === undefined ? permissionOfId(input.id ?? 0) : input.name;
    const kind = permissionKindOf(known ?? '');
    if (kind === undefined) {
      return input.name === undefined
        ? problem(`There is no permission of the id ${input.id}.`, 'id')
        : problem(`There is no permission "${truncate(input.name)}".`, 'name');
    }
    const name = known as Permission;
    if (type === 'custom' && kind === 'root') {
      return problem(`${name} holds everywhere, which a role in a project cannot; it takes a root role.`, 'name');
    }
    // Clients send an empty one where they mean none.
    const environment = input.environment || undefined;
    if (environment !== undefined && kind !== 'environment') {
      return problem(`${name} is no permission of environments.`, 'environment');
    }
    if (environment !== undefined && !isName(environment)) {
      return problem(`There is no environment "${truncate(environment)}".`, 'environment');
    }
    return [{ name, ...(environment !== undefined && { environment }) }];
  });
  if (problems.length > 0) throw invalidRequest(problems);
  return distinctBy(permissions, ({ name, environment = '' }) => `${name} ${environment}`);
}

function environmentsOf(permissions: readonly RolePermission[]): string[] {
  return [...new Set(permissions.flatMap(({ environment }) => environment ?? []))];
}

function environmentsAreThere(permissions: readonly RolePermission[]): Write[] {
  return environmentsOf(permissions).map((name) => ({ check: environments.keyOf(name), when: 'present' }));
}

/** @throws ApiError 400 with all environments that do not exist. */
async function requireEnvironments(request: Request, permissions: readonly RolePermission[]): Promise<void> {
  const named = environmentsOf(permissions);
  const known = await environments.some(request, named);
  const problems = named
    .filter((name) => !known.has(name))
    .map((name): ErrorDetail => ({ message: `There is no environment "${truncate(name)}".`, path: 'permissions' }));
  if (problems.length > 0) throw invalidRequest(problems);
}

/** @throws ApiError 403 for a role that comes with the service. */
function requireOwn(id: number): void {
  const builtIn = builtInRoleViews.find((role) => role.id === id);
  if (builtIn === undefined) return;
  throw new ApiError('NoAccessError', `The role "${builtIn.name}" is built in and cannot be changed.`);
}

/** @throws ApiError 409 for the name of a role that comes with the service. */
function requireOwnName(name: string): void {
  if (builtInRoleViews.some((role) => role.name === name)) throw nameTaken('role', 'name', name);
}
