import type { PermissionInput, ShownPermission } from '../../people/roles/role-schema.ts';
import type { PermissionList, RoleBody, RoleWithPermissions } from '../calls/people.ts';

/** The permissions of a role while it is edited, by name. One for a single environment is `name@environment`. */
export type RoleDraft = ReadonlySet<string>;

const keyOf = (name: string, environment?: string | null) => (environment ? `${name}@${environment}` : name);

/** Returns the permissions of a role as a draft. @internal */
export function toRoleDraft(permissions: readonly ShownPermission[]): RoleDraft {
  return new Set(permissions.map(({ name, environment }) => keyOf(name, environment)));
}

/** Tells whether a draft has a permission. One for all environments includes each of them. */
export function hasPermission(draft: RoleDraft, name: string, environment?: string): boolean {
  return draft.has(name) || (environment !== undefined && draft.has(keyOf(name, environment)));
}

/** Adds or removes a permission. One for all environments replaces those for single environments. */
export function setPermission(draft: RoleDraft, name: string, isHeld: boolean, environment?: string): RoleDraft {
  const others = [...draft].filter((key) => environment !== undefined || !key.startsWith(`${name}@`));
  const after = new Set(others);
  if (isHeld) after.add(keyOf(name, environment));
  else after.delete(keyOf(name, environment));
  return after;
}

/** Returns a draft as the API takes it. @internal */
export function toPermissionInputs(draft: RoleDraft): PermissionInput[] {
  return [...draft].map((key) => {
    const [name = '', environment] = splitKey(key);
    return environment === undefined ? { name } : { name, environment };
  });
}

function splitKey(key: string): string[] {
  const at = key.indexOf('@');
  return at === -1 ? [key] : [key.slice(0, at), key.slice(at + 1)];
}

/** A role while it is edited. */
export interface RoleEdits {
  readonly name: string;
  readonly description: string;
  readonly type: RoleBody['type'];
  /** The permissions of its draft, sorted. */
  readonly permissions: readonly string[];
}

/** Returns a role as a form edits it; without one, a new role of projects. */
export function toRoleEdits(role: RoleWithPermissions | undefined): RoleEdits {
  return {
    name: role?.name ?? '',
    description: role?.description ?? '',
    type: role?.type.startsWith('root') ? 'root-custom' : 'custom',
    permissions: [...toRoleDraft(role?.permissions ?? [])].toSorted(),
  };
}

/** Returns edits as the API takes them; a role for projects loses the permissions of the whole service. */
export function toRoleBody({ name, description, type, permissions }: RoleEdits, list: PermissionList): RoleBody {
  const ofService = new Set(list.root.map((each) => each.name));
  return {
    ...{ name: name.trim(), description: description.trim(), type },
    permissions: toPermissionInputs(new Set(permissions)).filter(
      (each) => type === 'root-custom' || !ofService.has(each.name ?? ''),
    ),
  };
}

/** Returns the permissions that a role of a kind can have: one for projects has none of the whole service. */
export function listPermissionsFor(list: PermissionList, isEverywhere: boolean): ShownPermission[] {
  const inEnvironments = list.environments[0]?.permissions ?? [];
  return [...(isEverywhere ? list.root : []), ...list.project, ...inEnvironments];
}

/** Returns the names of the permissions that hold in an environment. */
export function listEnvironmentPermissions({ environments }: PermissionList): ReadonlySet<string> {
  return new Set(environments[0]?.permissions.map(({ name }) => name));
}
