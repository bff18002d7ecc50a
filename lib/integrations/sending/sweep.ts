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
  /** The first and the last event of the lane on this page. */
  readonly from: number;
  readonly id: number;
}

/**
 * Finds the events that no doorbell has announced, in the list of all events from the floor on, and sends them. The floor
 * rises to what is settled: sent, given up, or waiting in a lane.
 */
export async function sweep(sender: Sender, plan: Plan): Promise<void> {
  const { state, integrations } = plan;
  const { work, clock, signal } = sender;
  const enabled = [...integrations.values()].filter(({ addon }) => addon.enabled);
  if (enabled.length === 0) return;
  const settledAt = new Date(clock.now() - marginMs).toISOString();
  const settled: { readonly id: number; readonly at: string }[] = [];
  let open = Number.POSITIVE_INFINITY;
  for await (const page of changesSince(work, state.floor)) {
    const events = page.flat().filter(({ id }) => id > state.floorId);
    for (const id of await sweepPage(sender, plan, enabled, events)) open = Math.min(open, id);
    for (const { id, createdAt: at } of events) if (at <= settledAt) settled.push({ id, at });
    if (signal.aborted) return;
  }
  const [floor] = settled.filter(({ id }) => id < open).toSorted((a, b) => b.id - a.id);
  if (floor !== undefined) await raiseFloor(work, state, floor);
}

/** Settles the events of a page. @returns the ids of the first ones that could not be, by lane. */
async function sweepPage(sender: Sender, plan: Plan, enabled: readonly Integration[], events: readonly LoggedEvent[]) {
  const { clock } = sender;
  const readAt = clock.now();
  let open = await unsettled(sender, wantedBy(enabled, events, doneOf(sender.work.store)));
  if (open.length > 0) {
    // Until SDKs are served them. All wait at once, since a lane that did would keep others from its place.
    await clock.sleep(Math.max(readAt + servedAfterMs - clock.now(), 0));
    open = await unsettled(sender, open);
  }
  const left = await allInOrder(
    open.map(async (each) => {
      const { integration, name, from, id } = each;
      const end = await runLane(sender, plan, integration, { name, from, upTo: id, by: 'sweep' });
      if (end === 'done') doneOf(sender.work.store).set(laneOf(each), id);
      return end === 'busy' ? [from] : [];
    }),
  );
  return left.flat();
}

function wantedBy(enabled: readonly Integration[], events: readonly LoggedEvent[], done: ReadonlyMap<string, number>) {
  const wanted = new Map<string, Wanted>();
  for (const event of events) {
    const name = laneNameOf(event.key);
    for (const integration of enabled) {
      const lane = laneOf({ integration, name });
      if (event.id <= Math.max(integration.after, done.get(lane) ?? 0) || !integration.isFor(event)) continue;
      const { from = event.id, id = event.id } = wanted.get(lane) ?? {};
      wanted.set(lane, { integration, name, from: Math.min(from, event.id), id: Math.max(id, event.id) });
    }
  }
  return [...wanted.values()];
}

/** Returns the lanes that neither have come so far nor wait. */
async function unsettled({ work }: Sender, wanted: readonly Wanted[]): Promise<Wanted[]> {
  const items = wanted.map(({ integration, name }) => sendingKeys.lane(integration.id, name));
  const lanes = await readItems<Partial<LaneItem>>(work, items);
  return wanted.filter((each, index) => {
    const { doneTo = 0, waitUntil = 0 } = lanes[index] ?? {};
    if (doneTo >= each.id) doneOf(work.store).set(laneOf(each), doneTo);
    return doneTo < each.id && waitUntil === 0;
  });
}

function laneOf({ integration, name }: Pick<Wanted, 'integration' | 'name'>): string {
  return `${integration.id} ${name}`;
}
