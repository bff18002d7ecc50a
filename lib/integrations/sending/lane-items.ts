import type { Request } from '../../request.ts';
import type { Attributes } from '../../store/item.ts';
import { readItem } from '../../store/read.ts';
import { expirySecond } from '../../values/expiry.ts';
import * as sendingKeys from './keys.ts';
import { askHolder, giveBack, type Leased, takeLease } from './lease.ts';

/**
 * The way of the events of one feature to one integration: how far it has come, and what the event at its head has gone
 * through. Times are in milliseconds since 1970.
 */
export interface LaneItem extends Leased {
  /** The last event that is done: sent, given up or not wanted; 0 for none. All that go before one that waits are. */
  readonly doneTo: number;
  /** The first id of the item of events that comes next, of which a part may be done. */
  readonly next: number;
  /** Set where an earlier version let something wait: `doneTo` may then be from long before; empty elsewhere. */
  readonly open: string;
  /** The failures of the head, and the time of the last. */
  readonly failures: number;
  readonly failedAt: number;
  /** The failures of the head that may be its own fault, and the time of the first. */
  readonly suspicions: number;
  readonly suspectedAt: number;
  /** The recoveries of the integration at the last failure of the head. */
  readonly recoveries: number;
  /** The time at which the head is given up; 0 where its turn has not come yet. */
  readonly givenUpAt: number;
  /** JSON: the targets that have the head. */
  readonly targetsDone: string;
  readonly expiresAtSeconds: number;
}

export const leaseMs = 60_000;
/** The time for which a lane that nothing happens in is kept. */
const keptSeconds = 30 * 86_400;

/** The state of a head that nobody has tried yet. */
export const untried = {
  failures: 0,
  failedAt: 0,
  suspicions: 0,
  suspectedAt: 0,
  recoveries: 0,
  givenUpAt: 0,
  targetsDone: '[]',
};

/** A lane that nothing has happened in. */
const fresh: Omit<LaneItem, keyof Leased | 'expiresAtSeconds'> = { doneTo: 0, next: 0, open: '', ...untried };

/** Returns the part of a lane that says how far it has come. */
export function progressOf(lane: LaneItem): Record<string, number | string> {
  const { doneTo, next } = lane;
  const head = Object.keys(untried).map((name) => [name, lane[name as keyof typeof untried]]);
  return { doneTo, next, ...Object.fromEntries(head) };
}

export const laneExpiry = (now: number) => expirySecond(keptSeconds, now);

/** Returns a lane with all that its item may lack. */
export function laneOf(item: Partial<LaneItem> | Attributes): LaneItem {
  const missing: LaneItem = { ...fresh, lease: '', leaseUntil: 0, waitUntil: 0, wanted: 0, expiresAtSeconds: 0 };
  const entries = Object.entries(missing).map(([name, value]) => [name, (item as Attributes)[name] ?? value]);
  return Object.fromEntries(entries);
}

export async function readLane(work: Request, addon: number, name: string): Promise<LaneItem | undefined> {
  const item = await readItem<Partial<LaneItem>>(work, sendingKeys.lane(addon, name));
  return item && laneOf(item);
}

interface Claim {
  readonly addon: number;
  readonly name: string;
  readonly holder: string;
  /** The event that the lane must get to, if it is known: whoever holds it goes on to there. */
  readonly wanted: number | undefined;
  /** Takes it though it waits. */
  readonly early: boolean;
  readonly now: () => number;
}

/** Takes a lane. @returns it as it is then, or the reason why it cannot be had. */
export async function claimLane(
  work: Request,
  { addon, name, holder, wanted, early, now }: Claim,
): Promise<LaneItem | 'waiting' | 'busy'> {
  const key = sendingKeys.lane(addon, name);
  for (;;) {
    const at = now();
    const taken = await takeLease(work, key, { holder, now: at, until: at + leaseMs, early });
    if (taken !== undefined) return laneOf(taken);
    if (wanted !== undefined && (await askHolder(work, key, wanted, at))) return 'busy';
    const lane = await readLane(work, addon, name);
    if (lane === undefined) continue;
    if (lane.waitUntil > at && !early) return 'waiting';
    const isHeld = lane.lease !== '' && lane.leaseUntil > at;
    if (isHeld && (wanted === undefined || lane.wanted >= wanted)) return 'busy';
  }
}

/**
 * Gives a lane back with nothing left to do in it.
 * @param lane as it is now, with what is known to be wanted.
 * @returns false where more is wanted, or where it was lost.
 */
export function releaseLane(work: Request, addon: number, name: string, lane: LaneItem, now: number): Promise<boolean> {
  const { doneTo, next, wanted } = lane;
  const set = { ...fresh, doneTo, next, waitUntil: 0, expiresAtSeconds: laneExpiry(now) };
  return giveBack(work, sendingKeys.lane(addon, name), lane.lease, Math.max(doneTo, wanted), set);
}
