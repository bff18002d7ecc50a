import type { UserGroup, UserSummary } from '../schemas/access.ts';
import { type Key, partitions } from '../table/keys.ts';
import { queryAll } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { type Group, groups } from './groups.ts';
import { type User, users } from './users.ts';

export interface AccessList {
  readonly users: UserSummary[];
  readonly groups: UserGroup[];
}

/** All users, and all groups with their members, from one consistent read. Fields without a value are left out. */
export async function listAccess(table: Table): Promise<AccessList> {
  const items = await queryAll<Key>(table, partitions.access());
  const summaries = new Map(users.among(items).map((user): [number, UserSummary] => [user.id, summaryOf(user)]));
  return { users: [...summaries.values()], groups: groups.among(items).map((group) => groupView(group, summaries)) };
}

function summaryOf({ id, name, username, email, rootRole, createdAt }: User): UserSummary {
  return {
    id,
    ...(name && { name }),
    ...(username && { username }),
    ...(email && { email }),
    rootRole,
    createdAt,
    accountType: 'User',
  };
}

function groupView(group: Group, known: ReadonlyMap<number, UserSummary>): UserGroup {
  const members = group.members.flatMap(({ userId, joinedAt, createdBy }) => {
    const user = known.get(userId);
    return user === undefined ? [] : [{ joinedAt, createdBy, user }];
  });
  return {
    id: group.id,
    name: group.name,
    ...(group.description && { description: group.description }),
    ...(group.mappingsSSO.length > 0 && { mappingsSSO: [...group.mappingsSSO] }),
    ...(group.rootRole !== undefined && { rootRole: group.rootRole }),
    createdBy: group.createdBy,
    createdAt: group.createdAt,
    users: members,
    ...(group.projectRoles.length > 0 && { projects: group.projectRoles.map(({ project }) => project) }),
    userCount: members.length,
  };
}
