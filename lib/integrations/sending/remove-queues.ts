import type { Key } from '../../store/client/definition.ts';
import { queryAll, readItems } from '../../store/read.ts';
import { tryTransact } from '../../store/transactions/transact.ts';
import type { Write } from '../../store/transactions/write.ts';
import { chunksOf } from '../../values/lists.ts';
import * as sendingKeys from './keys.ts';
import type { Sender } from './sender.ts';
import type { SentEvent } from './sent-events.ts';

/** The most removals in one transaction. Larger transactions conflict more often. */
const removedAtOnce = 25;

/**
 * Removes all queues of an integration. The log shows their waiting events as failed.
 * @param conditions of each transaction.
 * @returns false if a transaction failed, so that something may remain.
 */
export async function removeQueues(
  { work, clock }: Pick<Sender, 'work' | 'clock'>,
  addon: number,
  reason: string,
  conditions: readonly Write[] = [],
): Promise<boolean> {
  const items = await queryAll<Key & { readonly eventId?: number }>(work, sendingKeys.queues(addon));
  for (const chunk of chunksOf(items, removedAtOnce)) {
    const waiting = chunk.flatMap(({ sk, eventId }) => (sk.startsWith('PENDING#') ? (eventId ?? []) : []));
    const records = waiting.map((id) => sendingKeys.sentEvent(addon, id));
    const sent = await readItems<SentEvent>(work, records);
    const failed = { state: 'failed', stateDetails: reason, at: new Date(clock.now()).toISOString() };
    const shown = sent.flatMap((record): Write[] =>
      record === undefined
        ? []
        : [{ put: sendingKeys.sentEvent(addon, record.eventId), item: { ...record, ...failed } }],
    );
    const removed = chunk.map(({ pk, sk }): Write => ({ remove: { pk, sk } }));
    if (!(await tryTransact(work, ...conditions, ...shown, ...removed))) return false;
  }
  return tryTransact(work, ...conditions, { remove: sendingKeys.receiverState(addon) });
}
