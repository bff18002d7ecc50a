import { type Key, partitions } from '../table/keys.ts';
import { queryAll } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { type Group, groups } from '../users/groups.ts';
import { type User, users } from '../users/users.ts';

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
  const direct = members.users.filter(({ projectRoles }) => projectRoles.some(([id]) => id === project));
  const byGroup = members.groups.filter(({ projects }) => projects.includes(project));
  return new Set([
    ...direct.map(({ id }) => id),
    ...byGroup.flatMap((group) => group.members.map(({ userId }) => userId)),
  ]).size;
}
