import type { EventsItem } from '../../events/event-items.ts';
import { awaitInOrder } from '../../helpers/await-in-order.ts';
import type { Key } from '../../store/client/definition.ts';
import { readItems } from '../../store/read.ts';
import { isAnyEnabled, loadPlan, type Plan } from './plan.ts';
import { queueEventsOf, queuesOf } from './queue-events.ts';
import { runQueue } from './run-queue.ts';
import type { Sender } from './sender.ts';

/**
 * Sends the events of items that were just committed to all integrations with matching filters. The scan finds events for which
 * this was not called, since a process has died.
 * @param keys of the items. SDKs must get the changes already.
 */
export async function notifySender(sender: Sender, keys: readonly Key[]): Promise<Plan> {
  const plan = await loadPlan(sender);
  if (!isAnyEnabled(plan)) return plan;
  const items = await readItems<Key & EventsItem>(sender.request, keys);
  const events = items.flatMap((item) => (item === undefined ? [] : queueEventsOf(item)));
  const outlines = events.map(({ event, key }) => ({ ...event, key }));
  await awaitInOrder(queuesOf(plan.integrations.values(), outlines).map((run) => runQueue(sender, plan, run)));
  return plan;
}
