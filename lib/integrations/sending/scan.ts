import { type LoggedEvent, readChangesSince } from '../../events/event-log.ts';
import { awaitInOrder } from '../../helpers/await-in-order.ts';
import { readItems } from '../../store/read.ts';
import { BoundedMap, cachePerObject } from '../../values/cache.ts';
import * as sendingKeys from './keys.ts';
import { isAnyEnabled, type Plan } from './plan.ts';
import type { Queue } from './queue.ts';
import { type FilledQueue, queuesOf } from './queue-events.ts';
import { runQueue, servedAfterMs } from './run-queue.ts';
import type { Sender } from './sender.ts';
import { marginMs, raiseFloor } from './state.ts';

/** The last event of each queue that is done, which only rises. */
const doneByQueue = cachePerObject((_: Sender['request']['store']) => new BoundedMap<string, number>(50_000));

/**
 * Sends the events above the floor that nobody has announced. The floor rises to the last event below which all are settled: sent,
 * given up, or waiting in a queue.
 */
export async function scanEvents(sender: Sender, plan: Plan): Promise<void> {
  const { state } = plan;
  const { request, clock, signal } = sender;
  if (!isAnyEnabled(plan)) return;
  const settledAt = new Date(clock.now() - marginMs).toISOString();
  const old: { readonly id: number; readonly at: string }[] = [];
  let firstOpen = Number.POSITIVE_INFINITY;
  for await (const page of readChangesSince(request, state.floor)) {
    const events = page.flat().filter(({ id }) => id > state.floorId);
    for (const id of await scanPage(sender, plan, events)) firstOpen = Math.min(firstOpen, id);
    for (const { id, createdAt: at } of events) if (at <= settledAt) old.push({ id, at });
    if (signal.aborted) return;
  }
  const [floor] = old.filter(({ id }) => id < firstOpen).toSorted((a, b) => b.id - a.id);
  if (floor !== undefined) await raiseFloor(request, state, floor);
}

/** Settles the events of a page. @returns for each queue that could not be settled, its first event. */
async function scanPage(sender: Sender, plan: Plan, events: readonly LoggedEvent[]): Promise<number[]> {
  const { clock, request } = sender;
  const readAt = clock.now();
  const done = doneByQueue(request.store);
  const filled = queuesOf(plan.integrations.values(), events).filter(
    (queue) => queue.upTo > (done.get(idOf(queue)) ?? 0),
  );
  let open = await findOpen(sender, filled);
  if (open.length > 0) {
    // Waits until SDKs have the changes, for all queues together: a waiting queue would occupy the slot of another one.
    await clock.sleep(Math.max(readAt + servedAfterMs - clock.now(), 0));
    open = await findOpen(sender, open);
  }
  const failed = await awaitInOrder(
    open.map(async (queue) => ((await runQueue(sender, plan, queue)) ? [] : [queue.from])),
  );
  return failed.flat();
}

/** Returns the queues with open events that do not wait. */
async function findOpen({ request }: Sender, filled: readonly FilledQueue[]): Promise<FilledQueue[]> {
  const items = filled.map(({ id, name }) => sendingKeys.queue(id, name));
  const queues = await readItems<Partial<Queue>>(request, items);
  return filled.filter((queue, index) => {
    const { doneTo = 0, waitUntil = 0 } = queues[index] ?? {};
    if (doneTo >= queue.upTo) doneByQueue(request.store).set(idOf(queue), doneTo);
    return doneTo < queue.upTo && waitUntil === 0;
  });
}

function idOf({ id, name }: FilledQueue): string {
  return `${id} ${name}`;
}
