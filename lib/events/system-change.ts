import type { Table } from '../table/table.ts';
import { transact } from '../table/transact.ts';
import type { Write } from '../table/write.ts';
import { systemUser } from './actor.ts';
import { type NewEvent, stamp } from './event.ts';
import { takeEventIds } from './event-ids.ts';
import { serviceEventWrites } from './event-items.ts';

/**
 * Writes a change that the service itself makes, and its event, or neither.
 * @throws like `transact`.
 */
export async function commitSystemChange(table: Table, writes: readonly Write[], event: NewEvent): Promise<void> {
  const { first } = await takeEventIds(table, 1);
  const events = stamp([event], first, systemUser, new Date().toISOString());
  await transact(table, [...writes, ...serviceEventWrites(events)], undefined);
}
