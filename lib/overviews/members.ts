import { type Key, partitions } from '../table/keys.ts';
import { queryAll } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { type Group, groups } from '../users/groups.ts';
import { projectRoles as builtIn } from '../users/permissions.ts';
import { signatureOf, type User, users } from '../users/users.ts';

/** Who owns a project: the users that are its Owners, or the service where there are none. */
export type ProjectOwner =
  | { readonly ownerType: 'system' }
  | { readonly ownerType: 'user'; readonly name: string; readonly email: string | null };

/** All users and groups, as far as they have to do with projects. */
export interface Members {
  readonly users: readonly User[];
  readonly groups: readonly Group[];
}

/** All users and groups, from one consistent read. */
export async function loadMembers(table: Table): Promise<Members> {
  const items = await queryAll<Key>(table, partitions.access());
  return { users: users.among(items), groups: groups.among(items) };
}

/** How many users have a role in a project, of their own or by a group. */
export function memberCount(members: Members, project: string): number {
  const direct = members.users.filter(({ projectRoles }) => projectRoles.some((each) => each.project === project));
  const byGroup = members.groups.filter(({ projectRoles }) => projectRoles.some((each) => each.project === project));
  return new Set([
    ...direct.map(({ id }) => id),
    ...byGroup.flatMap((group) => group.members.map(({ userId }) => userId)),
  ]).size;
}

export function ownersOf({ users: all }: Members, project: string): ProjectOwner[] {
  const owners = all.filter(({ projectRoles }) =>
    projectRoles.some((each) => each.project === project && each.roles.includes(builtIn.Owner)),
  );
  if (owners.length === 0) return [{ ownerType: 'system' }];
  return owners.map((user) => ({ ownerType: 'user', name: user.name ?? signatureOf(user), email: user.email ?? null }));
}
