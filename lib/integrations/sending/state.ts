import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { loadLastEventIdBefore } from '../../events/event-log.ts';
import type { Request } from '../../request.ts';
import { readItem } from '../../store/read.ts';
import { tryTransact } from '../../store/transactions/transact.ts';
import type { Write } from '../../store/transactions/write.ts';
import type { Addon } from '../addons.ts';
import { clocksApartMs, retryMs } from './backoff.ts';
import * as sendingKeys from './keys.ts';

/*
 * What has to be sent is bounded by ids of events: they rise whatever clocks say; `event-ids.ts` tells what that guarantees. A
 * bound that is a time lies in the future where a clock was ahead, and everything until then would be lost. Times only say
 * where to look, since the list of all events is by the times of their stamps.
 */

/** This long after its stamp, an event and all that have lower ids are committed and listed. */
export const marginMs = clocksApartMs;

interface Bounds {
  /** The event up to which everything is sent, given up, or waits in a queue. */
  readonly floorId: number;
  /** A time before the stamps of all events above the floor. */
  readonly floor: string;
  /** JSON: the `Start` of each integration that is switched on, by its id. */
  readonly starts: string;
}

/** The place where an integration begins. */
interface Start {
  /** The time at which it was switched on. */
  readonly since: string;
  /** The last event of before. */
  readonly after: number;
}

/** The state of what is sent from a store. */
export interface SendingState extends Bounds {
  /** The name of this store in the ids of messages: random, so that no two have the same. */
  readonly store: string;
  /** The name of the table that it was written in: a restored copy has another one. */
  readonly table: string;
  /** The time since which this table is sent from: integrations of release 0.2 do not say since when they are switched on. */
  readonly begun: string;
  readonly version: number;
}

interface Circumstances {
  readonly now: number;
  /** The integrations that are switched on. */
  readonly enabled: readonly Addon[];
  readonly warn: (sentence: string) => void;
  /**
   * Removes all that waits in a table that is a copy, as long as a condition holds: it goes on in the original. False where
   * something remains.
   */
  readonly endCopied: (isStillCopied: Write) => Promise<boolean>;
}

/**
 * Returns the state as it was stored if it is that of this table and has the bounds of all that are switched on; otherwise it
 * gets them. Where there is none, or that of another table, of which this one is a copy, sending begins with this moment:
 * nothing of the past is sent.
 */
export async function adoptState(
  work: Request,
  known: SendingState | undefined,
  { now, enabled, warn, endCopied }: Circumstances,
): Promise<SendingState> {
  for (let stored = known; ; stored = await readItem<SendingState>(work, sendingKeys.senderState())) {
    const own = stored?.table === work.store.name ? stored : undefined;
    const when = stored === undefined ? 'absent' : ({ version: stored.version } as const);
    // Before the table is sent from: a process that dies in the middle leaves the rest to the next one.
    const isCopy = own === undefined && typeof when === 'object';
    if (isCopy && !(await endCopied({ check: sendingKeys.senderState(), when }))) continue;
    const before = own ?? (await beginSending(work, now, stored));
    const { warnings, ...bounds } = await boundsOf(work, before, { enabled, now, isNew: own === undefined });
    const { store, table, begun, version, floorId, floor, starts } = before;
    if (own !== undefined && isDeepStrictEqual(bounds, { floorId, floor, starts }))
      return { store, table, begun, version, ...bounds };
    const state = { store, table, begun, ...bounds, version: version + 1 };
    if (!(await tryTransact(work, { put: sendingKeys.senderState(), item: state, when }))) continue;
    for (const warning of warnings) warn(warning);
    return state;
  }
}

async function beginSending(work: Request, now: number, copied: SendingState | undefined): Promise<SendingState> {
  // The first of all may be called by a change of a moment ago; of a copied table, nothing of before is sent.
  const floor = isoOf(copied === undefined ? now - marginMs : now);
  const floorId = await loadLastEventIdBefore(work, copied === undefined ? floor : undefined);
  const { name: table } = work.store;
  const begun = isoOf(now);
  return { store: newName(), table, floorId, floor, starts: '{}', begun, version: copied?.version ?? 0 };
}

/** Returns the bounds that hold now: no time lies in the future. */
async function boundsOf(
  work: Request,
  before: SendingState,
  { enabled, now, isNew }: Pick<Circumstances, 'enabled' | 'now'> & { readonly isNew: boolean },
) {
  const warnings: string[] = [];
  let { floor, floorId } = before;
  if (isFuture(floor, now)) {
    warnings.push(
      `All events of before ${floor} count as sent, which is in the future: the clock was ahead, or is behind`,
    );
    // Later ones have higher ids, and may have any stamp since the clock was set right.
    floor = isoOf(now - retryMs);
  }
  const starts: Record<string, Start> = {};
  for (const addon of enabled) {
    const start = await startOf(work, before, addon, now);
    starts[addon.id] = { ...start, after: Math.max(start.after, isNew ? floorId : 0) };
    if (isFuture(start.since, now) && start.after === 0) {
      warnings.push(
        `Integration ${addon.id} was switched on at ${start.since}, which is in the future: the clock was ahead`,
      );
    }
  }
  // Nothing needs to be looked for that was before all of them.
  const first = Object.values(starts).toSorted((a, b) => a.after - b.after)[0];
  if (first !== undefined && first.after > floorId && !isFuture(first.since, now)) {
    floorId = first.after;
    floor = latest(floor, isoOf(Date.parse(first.since) - marginMs));
  }
  return { floorId, floor, starts: JSON.stringify(starts), warnings };
}

/**
 * Returns where an integration begins. For one that was switched on while the clock was ahead, and was not looked at before that
 * was set right, nobody knows: rather a few events of before are sent than none.
 */
export async function startOf(
  work: Request,
  { starts, begun }: Pick<SendingState, 'starts' | 'begun'>,
  { id, enabledAt: since = begun }: Pick<Addon, 'id' | 'enabledAt'>,
  now: number,
): Promise<Start> {
  const known = (JSON.parse(starts) as Record<string, Start>)[id];
  if (known?.since === since) return known;
  return { since, after: isFuture(since, now) ? 0 : await loadLastEventIdBefore(work, since) };
}

/** Moves the floor upwards, unless somebody has changed the state meanwhile. */
export async function raiseFloor(work: Request, state: SendingState, to: { readonly id: number; readonly at: string }) {
  const floor = latest(state.floor, isoOf(Date.parse(to.at) - marginMs));
  const { version } = state;
  const item = { ...state, floorId: to.id, floor, version: version + 1 };
  await tryTransact(work, { put: sendingKeys.senderState(), item, when: { version } });
}

/** Tells whether a time lies in the future; the clocks of processes are up to a second apart. */
function isFuture(time: string, now: number): boolean {
  return time > isoOf(now + 1_000);
}

function latest(a: string, b: string): string {
  return a > b ? a : b;
}

function isoOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** No dot is in it, which separates the parts of what is signed. */
function newName(): string {
  return randomBytes(6).toString('base64url');
}
