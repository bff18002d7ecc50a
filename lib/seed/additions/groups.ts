import { systemUser } from '../../events/actor.ts';
import { keys } from '../../table/keys.ts';
import { type Group, groupItem } from '../../users/group.ts';
import type { User } from '../../users/user.ts';
import { changedUserWrite } from '../../users/user-changes.ts';
import type { Addition } from '../addition.ts';
import type { SeedData } from '../seed-data.ts';
import type { SeedState } from '../seed-state.ts';
import { missing, numbers } from './missing.ts';

/** Changes `users` as it goes, so that who joins two groups is written twice, one version after the other. */
export function missingGroups(state: SeedState, data: SeedData, users: Map<string, User>, at: string): Addition[] {
  const entries = missing(data.groups, ({ name }) => state.groups.has(name));
  const nextId = numbers(state, 'group', []);
  return entries.map(({ entry, index }) => {
    const id = nextId();
    const { name, description, rootRole, mappingsSSO, projects } = entry;
    const members = entry.users.flatMap((username) => users.get(username) ?? []);
    const group: Group = {
      id,
      name,
      ...(description !== null && { description }),
      ...(rootRole !== null && { rootRole }),
      createdBy: systemUser.name,
      createdAt: at,
      mappingsSSO,
      projects,
      members: members.map((user) => ({ userId: user.id, joinedAt: at, createdBy: systemUser.name })),
    };
    const joined = members.map((user) => {
      const next: User = { ...user, groups: [...user.groups, id], version: user.version + 1 };
      users.set(user.username, next);
      return changedUserWrite(user, next);
    });
    return {
      kind: 'group',
      name,
      path: `groups.${index}`,
      writes: [
        { put: keys.group(id), item: { ...groupItem(group) }, when: 'absent' },
        { put: keys.groupName(name), item: { id }, when: 'absent' },
        ...joined,
      ],
      event: {
        type: 'group-created',
        data: { id, name, description, rootRole, mappingsSSO, projects, users: entry.users },
      },
      number: { counter: 'group', value: id },
    };
  });
}
