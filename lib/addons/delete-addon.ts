import { notFound } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import { type NewEvent, stamp } from '../events/event.ts';
import { takeEventIds } from '../events/event-ids.ts';
import { serviceEventWrites } from '../events/event-items.ts';
import { keys } from '../table/keys.ts';
import { readItem } from '../table/read.ts';
import { retryLostRaces } from '../table/retry.ts';
import type { Table } from '../table/table.ts';
import { transact } from '../table/transact.ts';
import type { AddonItem } from './addon.ts';

/**
 * Deletes an addon.
 * @throws ApiError 404 where there is none of that id.
 */
export async function deleteAddon(table: Table, actor: Actor, id: number): Promise<void> {
  const unknown = () => notFound('addon', id);
  await retryLostRaces(table, async () => {
    const [addon, { first }] = await Promise.all([readItem<AddonItem>(table, keys.addon(id)), takeEventIds(table, 1)]);
    if (addon === undefined) throw unknown();
    await transact(
      table,
      [
        { remove: keys.addon(id), when: 'present', otherwise: unknown },
        ...serviceEventWrites(stamp([addonDeleted(addon)], first, actor, new Date().toISOString())),
      ],
      undefined,
    );
  });
}

/** What the addon was, without its parameters: they hold the secrets of others. */
function addonDeleted({
  id,
  provider,
  enabled,
  description,
  createdAt,
  events,
  projects,
  environments,
}: AddonItem): NewEvent {
  return {
    type: 'addon-config-deleted',
    preData: {
      id,
      provider,
      enabled,
      description,
      createdAt,
      events: JSON.parse(events),
      projects: JSON.parse(projects),
      environments: JSON.parse(environments),
    },
  };
}
