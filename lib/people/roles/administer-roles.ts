import { acceptName, nameTakenError } from '../../entity/names.ts';
import { environments } from '../../environments/environments.ts';
import { ApiError, type ErrorDetail, invalid, invalidRequest, notFound, truncate } from '../../errors.ts';
import type { Actor } from '../../events/actor.ts';
import { awaitInOrder } from '../../helpers/await-in-order.ts';
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
import { loadRootRoleId } from '../profile.ts';
import { type PermissionInput, type Role, type RoleInput, roleName, type ShownPermission } from './role-schema.ts';

/**
 * Creates a role.
 * @throws ApiError 409 for a name in use; 400 with all permissions that are unknown or not allowed in the role, with all unknown
 * environments, and for one role too many.
 */
export function createRole(
  request: Request,
  actor: Actor,
  { name, description, type = 'custom', permissions = [] }: RoleInput,
): Promise<Versioned<CustomRole>> {
  requireCustomName(name);
  const parsed = parsePermissions(permissions, type);
  return customRoles.create(
    request,
    actor,
    (createdAt, number) => ({
      id: customRoleIdOf(number),
      ...{ name, description: description ?? '', type, permissions: parsed, createdAt },
    }),
    buildEnvironmentChecks(parsed),
    () => requireEnvironments(request, parsed),
  );
}

/**
 * Changes the given properties of a role, except its type. Its holders get the new rights within `identityTrustMs`.
 * @throws ApiError 403 for a built-in role; 404 for an unknown role; 409 and 400 as `createRole`.
 */
export async function updateRole(
  request: Request,
  actor: Actor,
  id: number,
  { name: newName, description, type, permissions }: RoleInput,
): Promise<Versioned<CustomRole>> {
  requireCustom(id);
  const { value } = await customRoles.load(request, id);
  const name = acceptName(value.name, newName, roleName);
  // A role that is older than a built-in role of the same name keeps its name.
  if (name !== value.name) requireCustomName(name);
  if (type !== undefined && type !== value.type) {
    throw invalid(`The role "${truncate(value.name)}" has the type ${value.type}, which cannot be changed.`, 'type');
  }
  const parsed = permissions && parsePermissions(permissions, value.type);
  return customRoles.update(
    request,
    actor,
    id,
    (role) => ({
      ...role,
      name,
      ...(description !== undefined && { description: description ?? '' }),
      ...(parsed && { permissions: parsed }),
    }),
    buildEnvironmentChecks(parsed ?? []),
    async () => {
      const [role] = await awaitInOrder([customRoles.load(request, id), requireEnvironments(request, parsed ?? [])]);
      return role;
    },
  );
}

/** @throws ApiError 403 for a built-in role; 404 for an unknown role; 409 that names its holders. */
export async function deleteRole(request: Request, actor: Actor, id: number): Promise<void> {
  requireCustom(id);
  await customRoles.remove(request, actor, id);
}

/**
 * Checks that a role could be created.
 * @throws ApiError as `createRole`.
 */
export async function validateRole(request: Request, { name, type = 'custom', permissions = [] }: RoleInput) {
  requireCustomName(name);
  const parsed = parsePermissions(permissions, type);
  await awaitInOrder([customRoles.requireFreeName(request, name), requireEnvironments(request, parsed)]);
}

/**
 * Loads a role for a caller who may read roles, or whose root role it is: a page of the admin UI shows it.
 * @throws ApiError 403 for other callers; 404 for an unknown role.
 */
export async function loadVisibleRole(request: Request, caller: Caller, id: number) {
  const readRoles = ['ADMIN', 'READ_ROLE'] as const;
  const mayAll = readRoles.some((permission) => caller.may(permission));
  if (!mayAll && (await loadRootRoleId(request, caller)) !== id) requirePermission(caller, readRoles);
  return loadRoleWithPermissions(request, id);
}

/** @throws ApiError 404 for an unknown role. */
export async function loadRoleWithPermissions(
  request: Request,
  id: number,
): Promise<Versioned<Role & { readonly permissions: ShownPermission[] }>> {
  const builtIn = builtInRoleViews.find((role) => role.id === id);
  const { value, version } = builtIn
    ? { value: { ...builtIn, permissions: builtInPermissionsOf(id) ?? [] }, version: 1 }
    : await customRoles.load(request, id);
  const permissions = value.permissions.map(permissionViewOf);
  return { value: { ...('createdAt' in value ? roleViewOf(value) : value), permissions }, version };
}

/** Lists all permissions that roles can have, those of environments for each environment. */
export async function listPermissions(request: Request) {
  const all = await environments.list(request);
  const ofKind = (kind: PermissionKind, environment?: string) =>
    permissionTable[kind].map(([, name]) => permissionViewOf({ name, ...(environment && { environment }) }));
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

export function permissionViewOf({ name, environment }: RolePermission): ShownPermission {
  const row = rowOf.get(name);
  if (row === undefined) throw notFound('permission', name);
  return { ...row, ...(environment !== undefined && { environment }) };
}

/** @throws ApiError 400 with all permissions that are unknown or not allowed in a role of this type. */
function parsePermissions(inputs: readonly PermissionInput[], type: CustomRole['type']): RolePermission[] {
  const problems: ErrorDetail[] = [];
  const permissions = inputs.flatMap((input, index): RolePermission[] => {
    const refuse = (message: string, property: string) => {
      problems.push({ message, path: `permissions.${index}.${property}` });
      return [];
    };
    const knownName = input.name === undefined ? permissionOfId(input.id ?? 0) : input.name;
    const kind = permissionKindOf(knownName ?? '');
    if (kind === undefined) {
      return input.name === undefined
        ? refuse(`There is no permission with the id ${input.id}.`, 'id')
        : refuse(`There is no permission "${truncate(input.name)}".`, 'name');
    }
    const name = knownName as Permission;
    if (type === 'custom' && kind === 'root') {
      return refuse(`${name} is a root permission: only a root role can have it.`, 'name');
    }
    // Some clients send an empty environment for none.
    const environment = input.environment || undefined;
    if (environment !== undefined && kind !== 'environment') {
      return refuse(`${name} is not a permission of environments.`, 'environment');
    }
    if (environment !== undefined && !isName(environment)) {
      return refuse(`There is no environment "${truncate(environment)}".`, 'environment');
    }
    return [{ name, ...(environment !== undefined && { environment }) }];
  });
  if (problems.length > 0) throw invalidRequest(problems);
  return distinctBy(permissions, ({ name, environment = '' }) => `${name} ${environment}`);
}

function environmentsOf(permissions: readonly RolePermission[]): string[] {
  return [...new Set(permissions.flatMap(({ environment }) => environment ?? []))];
}

function buildEnvironmentChecks(permissions: readonly RolePermission[]): Write[] {
  return environmentsOf(permissions).map((name) => ({ check: environments.keyOf(name), when: 'present' }));
}

/** @throws ApiError 400 with all unknown environments. */
async function requireEnvironments(request: Request, permissions: readonly RolePermission[]): Promise<void> {
  const names = environmentsOf(permissions);
  const existing = await environments.findSome(request, names);
  const problems = names
    .filter((name) => !existing.has(name))
    .map((name): ErrorDetail => ({ message: `There is no environment "${truncate(name)}".`, path: 'permissions' }));
  if (problems.length > 0) throw invalidRequest(problems);
}

/** @throws ApiError 403 for a built-in role. */
function requireCustom(id: number): void {
  const builtIn = builtInRoleViews.find((role) => role.id === id);
  if (builtIn === undefined) return;
  throw new ApiError('NoAccessError', `The role "${builtIn.name}" is built in and cannot be changed.`);
}

/** @throws ApiError 409 for the name of a built-in role. */
function requireCustomName(name: string): void {
  if (builtInRoleViews.some((role) => role.name === name)) throw nameTakenError('role', 'name', name);
}
