import type { UserGroup, UserSummary } from '../schemas/access.ts';
import { type Key, partitions } from '../table/keys.ts';
import { queryAll } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { type Group, type GroupItem, groupFrom } from './group.ts';
import type { UserItem } from './user.ts';

export interface AccessList {
  readonly users: UserSummary[];
  readonly groups: UserGroup[];
}

/** All users, and all groups with their members, from one consistent read. Fields without a value are left out. */
export async function listAccess(table: Table): Promise<AccessList> {
  const items = await queryAll<Key>(table, partitions.access());
  const users = new Map(
    itemsOf<UserItem>(items, 'USER#').map((user): [number, UserSummary] => [user.id, summaryOf(user)]),
  );
  const groups = itemsOf<GroupItem>(items, 'GROUP#').map((item) => groupView(groupFrom(item), users));
  return { users: [...users.values()], groups };
}

function itemsOf<T>(items: readonly Key[], prefix: string): T[] {
  return items.filter(({ sk }) => sk.startsWith(prefix)) as unknown as T[];
}

function summaryOf({ id, name, username, email, rootRole, createdAt }: UserItem): UserSummary {
  return {
    id,
    ...(name && { name }),
    username,
    ...(email && { email }),
    rootRole,
    createdAt,
    accountType: 'User',
  };
}

function groupView(group: Group, users: ReadonlyMap<number, UserSummary>): UserGroup {
  const members = group.members.flatMap(({ userId, joinedAt, createdBy }) => {
    const user = users.get(userId);
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
    ...(group.projects.length > 0 && { projects: [...group.projects] }),
    userCount: members.length,
  };
}
