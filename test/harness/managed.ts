import { change } from '../../lib/entity/change.ts';
import type { Entity } from '../../lib/entity/entity.ts';
import { systemUser } from '../../lib/events/actor.ts';
import { type Group, groups } from '../../lib/identity/groups.ts';
import { type User, users } from '../../lib/identity/users.ts';
import type { Request } from '../../lib/request.ts';
import type { Service } from './service.ts';

/** Switches SCIM on or off. */
export async function switchScimTo(service: Service, enabled: boolean): Promise<void> {
  await service.post('/api/admin/scim-settings', { enabled });
}

/** Lets the directory manage a user, as if SCIM had created them. */
export function manageUser({ table }: Pick<Service, 'table'>, id: number, more: Partial<User> = {}): Promise<void> {
  return update(table, users, id, { scimId: `user-${id}`, ...more });
}

/** Lets the directory manage a group, as if SCIM had created it. */
export function manageGroup({ table }: Pick<Service, 'table'>, id: number, more: Partial<Group> = {}): Promise<void> {
  return update(table, groups, id, { scimId: `group-${id}`, ...more });
}

async function update<T extends object>(table: Request, entity: Entity<T, number>, id: number, changed: Partial<T>) {
  await change(table, systemUser, {
    items: [entity.keyOf(id)],
    read: () => entity.load(table, id),
    revisionOf: (thing) => thing,
    decide: (thing) => ({ ...entity.buildUpdateEffects(thing, { ...thing.value, ...changed }), result: undefined }),
  });
}
