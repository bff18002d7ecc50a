import { allInOrder } from '../../entity/all-in-order.ts';
import { storeIfFirst } from '../../entity/store-if-first.ts';
import type { Key } from '../../store/client/definition.ts';
import { queryAll } from '../../store/read.ts';
import { sendAgain } from './again.ts';
import { blockOf, type Health } from './health.ts';
import * as sendingKeys from './keys.ts';
import { type PendingLane, runLane } from './lane.ts';
import { removeLanes } from './remains.ts';
import { breakerLanes, clocksApartMs } from './schedule.ts';
import { type Integration, loadPlan, type Plan, type Sender } from './sender.ts';

/** Tries again what waits and is due. It reads nothing but the plan as long as no integration has troubles. */
export async function tick(sender: Sender): Promise<Plan> {
  const plan = await loadPlan(sender);
  await allInOrder([...plan.health].map(([id, health]) => tend(sender, plan, id, health)));
  return plan;
}

async function tend(sender: Sender, plan: Plan, id: number, health: Health): Promise<void> {
  const integration = plan.integrations.get(id);
  if (integration === undefined) {
    await removeLanes(sender, id, 'The integration was deleted.');
    return;
  }
  const [isAllSentAgain, isAllTried] = await allInOrder([
    sendAgain(sender, plan, integration),
    tryPending(sender, plan, integration, health),
  ]);
  if (!isAllSentAgain || !isAllTried) return;
  // Unless new troubles have come.
  const { version } = health;
  await storeIfFirst(sender.work, { remove: sendingKeys.addonHealth(id), when: { version } });
}

/** Tries the lanes that wait and are due. @returns true where none waits. */
async function tryPending(sender: Sender, plan: Plan, integration: Integration, health: Health): Promise<boolean> {
  const { id } = integration;
  const pending = await queryAll<Key & PendingLane>(sender.work, sendingKeys.pendingLanes(id));
  const now = sender.clock.now();
  const isBlocked = () => blockOf(plan.health.get(id), integration.version, now, 'clock') !== undefined;
  if (pending.length === 0) return !isBlocked();
  const due = pending.toSorted((a, b) => a.triedAt - b.triedAt);
  const wasOpen = health.ofVersion === integration.version && (health.openUntil ?? 0) > 0 && !isBlocked();
  if (wasOpen && integration.addon.enabled) {
    // A few show whether the receiver is back: not the same ones each time, since their events may be what is wrong.
    for (const { name } of due.slice(0, breakerLanes)) {
      due.shift();
      await runLane(sender, plan, integration, { name, by: 'probe' });
      if (!isBlocked() || plan.health.get(id)?.slow === 1) break;
    }
  }
  const present = plan.health.get(id) ?? health;
  // One that may not be tried would only wait again.
  const isWorth = isBlocked() ? isOver : isDue;
  const runs = due.filter((each) => isWorth(each, now, present, integration));
  await allInOrder(runs.map(({ name }) => runLane(sender, plan, integration, { name, by: 'clock' })));
  return false;
}

/** Tells whether a lane is tried now: by its time, or because what it waits for has come. */
function isDue(
  { waitUntil, since, closings = 0 }: PendingLane,
  now: number,
  health: Health,
  { version, addon }: Integration,
): boolean {
  const wasSaved = health.ofVersion !== undefined && health.ofVersion !== version;
  const wasClockAhead = since > now + clocksApartMs;
  return waitUntil <= now || wasClockAhead || wasSaved || !addon.enabled || closings < (health.closings ?? 0);
}

/** Tells whether what waits in a lane is given up now. */
function isOver({ givenUpAt = 0 }: PendingLane, now: number): boolean {
  return givenUpAt <= now;
}
