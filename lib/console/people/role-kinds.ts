import type { Role } from '../../people/roles/role-schema.ts';

/** Tells whether a role applies to the whole service, not only to the projects where it is granted. */
export function isRootRole({ type }: Pick<Role, 'type'>): boolean {
  return type === 'root' || type === 'root-custom';
}

/** Tells whether somebody has created a role. A built-in role cannot be changed. */
export function isCustomRole({ type }: Pick<Role, 'type'>): boolean {
  return type === 'root-custom' || type === 'custom';
}
