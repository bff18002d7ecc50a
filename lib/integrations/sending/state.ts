import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { loadLastEventIdBefore } from '../../events/event-log.ts';
import type { Request } from '../../request.ts';
import { readItem } from '../../store/read.ts';
import { tryTransact } from '../../store/transactions/transact.ts';
import type { Write } from '../../store/transactions/write.ts';
import type { Addon } from '../addon-schema.ts';
import { clocksApartMs, retryMs } from './backoff.ts';
import * as sendingKeys from './keys.ts';

/*
 * Event ids limit what has to be sent, since they rise even if clocks are wrong (`event-ids.ts` has the guarantee). A time limit by
 * a clock that was ahead would lose all events until then. Times only show where to start reading, since the list of all events
 * is ordered by time.
 */

/** The time after its time stamp at which an event, and all events with lower ids, are committed and listed. */
export const marginMs = clocksApartMs;

interface Bounds {
  /** The event up to which everything is sent, given up, or waits in a queue. */
  readonly floorId: number;
  /** A time before the time stamps of all events above the floor. */
  readonly floor: string;
  /** JSON: the `Start` of each enabled integration, by its id. */
  readonly starts: string;
}

/** The event with which an integration starts. */
interface Start {
  /** The time at which it was enabled. */
  readonly since: string;
  /** The last event before that time. */
  readonly after: number;
}

/** The state of sending from a store. */
export interface SendingState extends Bounds {
  /** The random name of this store in the ids of messages. */
  readonly store: string;
  /** The name of its table: a restored copy has another one. */
  readonly table: string;
  /** The time since which this table sends, for integrations of release 0.2, which have no `enabledAt`. */
  readonly begun: string;
  readonly version: number;
}

interface Circumstances {
  readonly now: number;
  /** The enabled integrations. */
  readonly enabled: readonly Addon[];
  readonly warn: (sentence: string) => void;
  /**
   * Removes all waiting events of a copied table under a condition, since the original table sends them. False if something
   * remains.
   */
  readonly endCopied: (isStillCopied: Write) => Promise<boolean>;
}

/**
 * Returns the stored state, with the bounds of all enabled integrations. Without a state, or with the state of another table,
 * of which this one is a copy, sending starts now, so that no earlier events are sent.
 */
export async function adoptState(
  request: Request,
  loaded: SendingState | undefined,
  { now, enabled, warn, endCopied }: Circumstances,
): Promise<SendingState> {
  for (let stored = loaded; ; stored = await readItem<SendingState>(request, sendingKeys.senderState())) {
    const own = stored?.table === request.store.name ? stored : undefined;
    const when = stored === undefined ? 'absent' : ({ version: stored.version } as const);
    // This comes before the new state, so that another process continues if this one dies.
    const isCopy = own === undefined && typeof when === 'object';
    if (isCopy && !(await endCopied({ check: sendingKeys.senderState(), when }))) continue;
    const before = own ?? (await startSending(request, now, stored));
    const { warnings, ...bounds } = await buildBounds(request, before, { enabled, now, isNew: own === undefined });
    const { store, table, begun, version, floorId, floor, starts } = before;
    if (own !== undefined && isDeepStrictEqual(bounds, { floorId, floor, starts }))
      return { store, table, begun, version, ...bounds };
    const state = { store, table, begun, ...bounds, version: version + 1 };
    if (!(await tryTransact(request, { put: sendingKeys.senderState(), item: state, when }))) continue;
    for (const warning of warnings) warn(warning);
    return state;
  }
}

async function startSending(request: Request, now: number, copied: SendingState | undefined): Promise<SendingState> {
  // The first call may follow a very recent change, which is sent. A copied table sends no earlier events.
  const floor = isoOf(copied === undefined ? now - marginMs : now);
  const floorId = await loadLastEventIdBefore(request, copied === undefined ? floor : undefined);
  const { name: table } = request.store;
  const begun = isoOf(now);
  return { store: newName(), table, floorId, floor, starts: '{}', begun, version: copied?.version ?? 0 };
}

/** Builds the current bounds, in which no time is in the future. */
async function buildBounds(
  request: Request,
  before: SendingState,
  { enabled, now, isNew }: Pick<Circumstances, 'enabled' | 'now'> & { readonly isNew: boolean },
) {
  const warnings: string[] = [];
  let { floor, floorId } = before;
  if (isFuture(floor, now)) {
    warnings.push(
      `All events before ${floor} count as sent, which is in the future: the clock was ahead, or is behind`,
    );
    // Later events have higher ids, and any time stamp since the clock was corrected.
    floor = isoOf(now - retryMs);
  }
  const starts: Record<string, Start> = {};
  for (const addon of enabled) {
    const start = await loadStart(request, before, addon, now);
    starts[addon.id] = { ...start, after: Math.max(start.after, isNew ? floorId : 0) };
    if (isFuture(start.since, now) && start.after === 0) {
      warnings.push(
        `Integration ${addon.id} was enabled at ${start.since}, which is in the future: the clock was ahead`,
      );
    }
  }
  // Events before the first start of all integrations need not be read.
  const first = Object.values(starts).toSorted((a, b) => a.after - b.after)[0];
  if (first !== undefined && first.after > floorId && !isFuture(first.since, now)) {
    floorId = first.after;
    floor = latest(floor, isoOf(Date.parse(first.since) - marginMs));
  }
  return { floorId, floor, starts: JSON.stringify(starts), warnings };
}

/**
 * Loads the start of an integration. If it was enabled while the clock was ahead, its start is unknown, and it sends some earlier
 * events rather than none.
 */
export async function loadStart(
  request: Request,
  { starts, begun }: Pick<SendingState, 'starts' | 'begun'>,
  { id, enabledAt: since = begun }: Pick<Addon, 'id' | 'enabledAt'>,
  now: number,
): Promise<Start> {
  const stored = (JSON.parse(starts) as Record<string, Start>)[id];
  if (stored?.since === since) return stored;
  return { since, after: isFuture(since, now) ? 0 : await loadLastEventIdBefore(request, since) };
}

/** Raises the floor, unless the state has changed meanwhile. */
export async function raiseFloor(
  request: Request,
  state: SendingState,
  to: { readonly id: number; readonly at: string },
) {
  const floor = latest(state.floor, isoOf(Date.parse(to.at) - marginMs));
  const { version } = state;
  const item = { ...state, floorId: to.id, floor, version: version + 1 };
  await tryTransact(request, { put: sendingKeys.senderState(), item, when: { version } });
}

/** Tells whether a time is in the future. The clocks of processes differ by up to a second. */
function isFuture(time: string, now: number): boolean {
  return time > isoOf(now + 1_000);
}

function latest(a: string, b: string): string {
  return a > b ? a : b;
}

function isoOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** Returns a random name without a dot, since a dot separates the parts of a signed message. */
function newName(): string {
  return randomBytes(6).toString('base64url');
}
