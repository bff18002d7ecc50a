import { allInOrder } from '../../entity/all-in-order.ts';
import { changesSince, type LoggedEvent } from '../../events/event-log.ts';
import { readItems } from '../../store/read.ts';
import { BoundedMap, onceFor } from '../../values/memory.ts';
import * as sendingKeys from './keys.ts';
import { runLane, servedAfterMs } from './lane.ts';
import { laneNameOf } from './lane-events.ts';
import type { LaneItem } from './lane-items.ts';
import type { Integration, Plan, Sender } from './sender.ts';
import { marginMs, raiseFloor } from './state.ts';

/** The last event of lanes that is known to be done; it only rises. */
const doneOf = onceFor((_: Sender['work']['store']) => new BoundedMap<string, number>(50_000));

interface Wanted {
  readonly integration: Integration;
  readonly name: string;
  readonly id: number;
  /** The time of the first event of the lane on this page. */
  readonly at: string;
}

/**
 * Finds the events that no doorbell has announced, in the list of all events from the floor on, and sends them. The floor
 * rises to what is settled: sent, given up, or waiting in a lane.
 */
export async function sweep(sender: Sender, plan: Plan): Promise<void> {
  const { state, integrations } = plan;
  const { work, clock, signal } = sender;
  const enabled = [...integrations.values()].filter(({ addon }) => addon.enabled);
  const [from] = enabled.map((each) => each.from).toSorted();
  if (from === undefined) return;
  const now = clock.now();
  let settledTo = new Date(now - marginMs).toISOString();
  for await (const page of changesSince(work, from)) {
    for (const each of await sweepPage(sender, plan, enabled, page.flat())) {
      if (each < settledTo) settledTo = each;
    }
    if (signal.aborted) return;
  }
  if (settledTo > state.floor) await raiseFloor(work, state, settledTo);
}

/** Settles the events of a page. @returns the times of those that could not be. */
async function sweepPage(sender: Sender, plan: Plan, enabled: readonly Integration[], events: readonly LoggedEvent[]) {
  const { clock } = sender;
  const readAt = clock.now();
  const open = await unsettled(sender, wantedBy(enabled, events, doneOf(sender.work.store)));
  // All of them once: a lane that waited would keep others from its place.
  if (open.length > 0) await clock.sleep(Math.max(readAt + servedAfterMs - clock.now(), 0));
  const left = await allInOrder(
    open.map(async ({ integration, name, id, at }) => {
      const end = await runLane(sender, plan, integration, { name, upTo: id, by: 'sweep' });
      if (end === 'done') doneOf(sender.work.store).set(`${integration.id} ${name}`, id);
      return end === 'busy' ? [at] : [];
    }),
  );
  return left.flat();
}

function wantedBy(enabled: readonly Integration[], events: readonly LoggedEvent[], done: ReadonlyMap<string, number>) {
  const wanted = new Map<string, Wanted>();
  for (const event of events) {
    const name = laneNameOf(event.key);
    for (const integration of enabled) {
      const id = `${integration.id} ${name}`;
      if (event.createdAt < integration.from || event.id <= (done.get(id) ?? 0)) continue;
      if (!integration.isFor(event)) continue;
      const { at = event.createdAt } = wanted.get(id) ?? {};
      wanted.set(id, { integration, name, id: event.id, at });
    }
  }
  return wanted;
}

/** Returns the lanes that neither have come so far nor wait. */
async function unsettled({ work }: Sender, wanted: ReadonlyMap<string, Wanted>): Promise<Wanted[]> {
  const all = [...wanted];
  const items = all.map(([, { integration, name }]) => sendingKeys.lane(integration.id, name));
  const lanes = await readItems<Partial<LaneItem>>(work, items);
  return all.flatMap(([id, each], index) => {
    const { doneTo = 0, waitUntil = 0 } = lanes[index] ?? {};
    if (doneTo >= each.id) doneOf(work.store).set(id, doneTo);
    return doneTo >= each.id || waitUntil > 0 ? [] : [each];
  });
}
