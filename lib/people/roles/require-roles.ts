import { type ErrorDetail, invalidRequest } from '../../errors.ts';
import { assertMayAll, type Caller } from '../../identity/caller.ts';
import { isRootRole, loadRoleRights, loadRoles } from '../../identity/roles.ts';
import type { Request } from '../../request.ts';

/** A role in a request, and its path in the body. */
export interface NamedRole {
  readonly id: number;
  readonly path: string;
}

/** @throws ApiError 400 with all roles that are unknown or not of the kind. */
export async function requireRoles(request: Request, kind: 'root' | 'project', named: readonly NamedRole[]) {
  const roles = await loadRoles(request, [...new Set(named.map(({ id }) => id))]);
  const byId = new Map(roles.map((role) => [role.id, role]));
  const problems = named.flatMap(({ id, path }): ErrorDetail[] => {
    const role = byId.get(id);
    if (role === undefined) return [{ message: `There is no role with the id ${id}.`, path }];
    if (isRootRole(role) === (kind === 'root')) return [];
    const message = kind === 'root' ? 'is a project role, not a root role' : 'is a root role, not a project role';
    return [{ message: `The role "${role.name}" ${message}.`, path }];
  });
  if (problems.length > 0) throw invalidRequest(problems);
}

/**
 * Requires that the caller has all rights that they give to others, in the same project and environments.
 * @throws ApiError 403 that names all permissions that the caller lacks.
 */
export async function assertMayGive(request: Request, caller: Caller, roles: readonly number[], project: string) {
  const rightsOfRole = await loadRoleRights(request, roles);
  const permissions = roles.flatMap((role) => rightsOfRole(role).permissions);
  assertMayAll(
    caller,
    permissions.map(({ name, environment }) => ({ permission: name, project, environment })),
  );
}
