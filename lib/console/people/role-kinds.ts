import type { Role } from '../../people/roles/role-schema.ts';

/** Tells whether a role holds everywhere, not only in the projects where it is granted. */
export function isRootRole({ type }: Pick<Role, 'type'>): boolean {
  return type === 'root' || type === 'root-custom';
}

/** Tells whether a role is one that somebody has made, and may change. */
export function isCustomRole({ type }: Pick<Role, 'type'>): boolean {
  return type === 'root-custom' || type === 'custom';
}
