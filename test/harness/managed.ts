import { change } from '../../lib/entity/change.ts';
import { systemUser } from '../../lib/events/actor.ts';
import { type Group, groups } from '../../lib/identity/groups.ts';
import { type User, users } from '../../lib/identity/users.ts';
import type { Service } from './service.ts';

/** Switches SCIM on or off. */
export async function switchScimTo(service: Service, enabled: boolean): Promise<void> {
  await service.post('/api/admin/scim-settings', { enabled });
}

/** Lets the directory manage a user, as if SCIM had created them. */
export async function manageUser(
  { table }: Pick<Service, 'table'>,
  id: number,
  more: Partial<User> = {},
): Promise<void> {
  await change(table, systemUser, {
    of: [users.keyOf(id)],
    read: () => users.load(table, id),
    revisionOf: (user) => user,
    decide: (user) => ({
      ...users.updateEffects(user, { ...user.value, scimId: `user-${id}`, ...more }),
      result: undefined,
    }),
  });
}

/** Lets the directory manage a group, as if SCIM had created it. */
export async function manageGroup(
  { table }: Pick<Service, 'table'>,
  id: number,
  more: Partial<Group> = {},
): Promise<void> {
  await change(table, systemUser, {
    of: [groups.keyOf(id)],
    read: () => groups.load(table, id),
    revisionOf: (group) => group,
    decide: (group) => ({
      ...groups.updateEffects(group, { ...group.value, scimId: `group-${id}`, ...more }),
      result: undefined,
    }),
  });
}
