import type { ProjectRole } from './permissions.ts';

/** A user as the store holds them. */
export interface UserItem {
  readonly id: number;
  readonly username: string;
  readonly name?: string;
  readonly email?: string;
  /** The id of their root role. */
  readonly rootRole: number;
  readonly createdAt: string;
  /** JSON: pairs of project id and role. */
  readonly projectRoles: string;
  /** JSON: ids of the groups that they are a member of. */
  readonly groups: string;
  readonly version: number;
}

export interface User extends Omit<UserItem, 'projectRoles' | 'groups'> {
  readonly projectRoles: readonly (readonly [project: string, role: ProjectRole])[];
  readonly groups: readonly number[];
}

export function userFrom({ projectRoles, groups, ...fields }: UserItem): User {
  return { ...fields, projectRoles: JSON.parse(projectRoles), groups: JSON.parse(groups) };
}

export function userItem({ projectRoles, groups, ...fields }: User): UserItem {
  return { ...fields, projectRoles: JSON.stringify(projectRoles), groups: JSON.stringify(groups) };
}

/** How events name a user: by e-mail, else by user name. */
export function signatureOf({ email, username }: Pick<User, 'email' | 'username'>): string {
  return email ?? username;
}
