import type { Key } from '../../store/client/definition.ts';
import { queryAll, readItems } from '../../store/read.ts';
import { tryTransact } from '../../store/transactions/transact.ts';
import type { Write } from '../../store/transactions/write.ts';
import { chunksOf } from '../../values/lists.ts';
import type { DeliveryRecord } from './delivery-records.ts';
import * as sendingKeys from './keys.ts';
import type { Sender } from './sender.ts';

/** The most removals in one transaction. Larger transactions conflict more often. */
const removedAtOnce = 25;

/**
 * Removes all queues of an integration. The log shows their waiting events as failed.
 * @param conditions of each transaction.
 * @returns false if a transaction failed, so that something may remain.
 */
export async function removeQueues(
  { request, clock }: Pick<Sender, 'request' | 'clock'>,
  addon: number,
  reason: string,
  conditions: readonly Write[] = [],
): Promise<boolean> {
  const items = await queryAll<Key & { readonly eventId?: number }>(request, sendingKeys.queues(addon));
  for (const chunk of chunksOf(items, removedAtOnce)) {
    const waiting = chunk.flatMap(({ sk, eventId }) => (sk.startsWith('PENDING#') ? (eventId ?? []) : []));
    const records = waiting.map((id) => sendingKeys.sentEvent(addon, id));
    const sent = await readItems<DeliveryRecord>(request, records);
    const failed = { state: 'failed', stateDetails: reason, at: new Date(clock.now()).toISOString() };
    const shown = sent.flatMap((record): Write[] =>
      record === undefined
        ? []
        : [{ put: sendingKeys.sentEvent(addon, record.eventId), item: { ...record, ...failed } }],
    );
    const removed = chunk.map(({ pk, sk }): Write => ({ remove: { pk, sk } }));
    if (!(await tryTransact(request, ...conditions, ...shown, ...removed))) return false;
  }
  return tryTransact(request, ...conditions, { remove: sendingKeys.receiverState(addon) });
}
