import { allInOrder } from '../../entity/all-in-order.ts';
import type { EventsItem } from '../../events/event-items.ts';
import type { Key } from '../../store/client/definition.ts';
import { readItems } from '../../store/read.ts';
import { type Run, runLane } from './lane.ts';
import { type LaneEvent, laneEventsOf, laneNameOf } from './lane-events.ts';
import { type Integration, loadPlan, type Plan, type Sender } from './sender.ts';

/**
 * Sends the events of items that were just committed, to all integrations that are about them. Where it is not called, because
 * a process has died, the sweep finds them.
 * @param keys of the items; SDKs are served what they record.
 */
export async function ring(sender: Sender, keys: readonly Key[]): Promise<Plan> {
  const plan = await loadPlan(sender);
  if (!isAnyEnabled(plan)) return plan;
  const items = await readItems<Key & EventsItem>(sender.work, keys);
  await runAll(
    sender,
    plan,
    items.flatMap((item) => (item === undefined ? [] : laneEventsOf(item))),
  );
  return plan;
}

/** Tells whether anything is to be sent. */
export function isAnyEnabled({ integrations }: Plan): boolean {
  return [...integrations.values()].some(({ addon }) => addon.enabled);
}

/** Runs each lane that one of the events is for, once. */
async function runAll(sender: Sender, plan: Plan, events: readonly LaneEvent[]): Promise<void> {
  const runs = new Map<string, Run & { readonly integration: Integration }>();
  for (const { event, key } of events) {
    const name = laneNameOf(key);
    for (const integration of plan.integrations.values()) {
      if (!integration.addon.enabled || !integration.isFor(event)) continue;
      const id = `${integration.id} ${name}`;
      const { from = event.id, upTo = event.id } = runs.get(id) ?? {};
      const range = { from: Math.min(from, event.id), upTo: Math.max(upTo, event.id) };
      runs.set(id, { integration, name, ...range, by: 'doorbell' });
    }
  }
  await allInOrder([...runs.values()].map(({ integration, ...run }) => runLane(sender, plan, integration, run)));
}
