import { chunksOf } from '../../features/items/chunks.ts';
import type { Key } from '../../store/client/definition.ts';
import * as keys from '../../store/keys.ts';
import * as partitions from '../../store/partitions.ts';
import { queryAll, readItem } from '../../store/read.ts';
import { transact } from '../../store/transactions/transact.ts';
import type { PendingLane } from './lane.ts';
import type { Plan, Sender } from './sender.ts';
import { type SentEvent, writeSentEvent } from './sent-events.ts';

/** The most removals in one transaction; more only conflict with others. */
const removedAtOnce = 25;

/**
 * Ends all that waits, after a table was restored: its lanes are those of the table that it was copied from, which goes on by
 * itself. What waited there is shown as failed.
 */
export async function startAnewIfRestored(sender: Sender, { state, integrations, health }: Plan): Promise<void> {
  if (!state.isRestored) return;
  for (const id of new Set([...integrations.keys(), ...health.keys()])) {
    await removeLanes(sender, id, 'The store was restored from a copy.');
  }
  health.clear();
}

/** Removes everything that an integration has under way. */
export async function removeLanes({ work, clock }: Sender, addon: number, reason: string): Promise<void> {
  const items = await queryAll<Key & Partial<PendingLane> & { readonly eventId?: number }>(
    work,
    partitions.lanes(addon),
  );
  for (const { sk, eventId } of items) {
    if (!sk.startsWith('PENDING#') || eventId === undefined) continue;
    const sent = await readItem<SentEvent>(work, keys.sentEvent(addon, eventId));
    if (sent === undefined) continue;
    await writeSentEvent(work, addon, {
      eventId,
      state: 'failed',
      stateDetails: reason,
      at: new Date(clock.now()).toISOString(),
    });
  }
  for (const chunk of chunksOf(items, removedAtOnce)) {
    await transact(
      work,
      chunk.map(({ pk, sk }) => ({ remove: { pk, sk } })),
      undefined,
    );
  }
  await transact(work, [{ remove: keys.addonHealth(addon) }], undefined);
}
