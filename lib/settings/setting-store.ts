import type { Actor } from '../events/actor.ts';
import { type NewEvent, stamp } from '../events/event.ts';
import { takeEventIds } from '../events/event-ids.ts';
import { serviceEventWrites } from '../events/event-items.ts';
import { assertFits } from '../table/item.ts';
import { keys } from '../table/keys.ts';
import { readItem } from '../table/read.ts';
import { retrySerially } from '../table/retry.ts';
import type { Table } from '../table/table.ts';
import { transact } from '../table/transact.ts';

/** A setting as the store holds it. */
interface SettingItem {
  /** JSON: the setting's content. */
  readonly content: string;
  readonly version: number;
}

/** The content of a setting, if it was ever stored. */
export async function loadSetting<T>(table: Table, id: string): Promise<T | undefined> {
  const item = await readItem<SettingItem>(table, keys.setting(id));
  return item === undefined ? undefined : JSON.parse(item.content);
}

/** Stores a setting as it is given. What is stored already is left alone. */
export async function saveSetting(table: Table, actor: Actor, id: string, value: object): Promise<void> {
  const content = JSON.stringify(value);
  await retrySerially(table, [keys.setting(id)], async () => {
    const [stored, { first }] = await Promise.all([
      readItem<SettingItem>(table, keys.setting(id)),
      takeEventIds(table, 1),
    ]);
    if (stored?.content === content) return;
    const item = { content, version: (stored?.version ?? 0) + 1 };
    assertFits(item, 'setting');
    await transact(
      table,
      [
        { put: keys.setting(id), item, when: stored === undefined ? 'absent' : { version: stored.version } },
        ...serviceEventWrites(stamp([settingSaved(id, stored !== undefined)], first, actor, new Date().toISOString())),
      ],
      undefined,
    );
  });
}

/** Events are for many eyes; the values of a setting are not. */
function settingSaved(id: string, existed: boolean): NewEvent {
  const data = { id, hideEventDetails: true };
  return existed
    ? { type: 'setting-updated', data, preData: { hideEventDetails: true } }
    : { type: 'setting-created', data };
}
