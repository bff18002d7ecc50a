import type { Request } from '../request.ts';
import { type Key, keyText } from '../store/client/definition.ts';
import { isPermanentRefusal } from '../store/client/exceptions.ts';
import { BoundedMap, cachePerObject } from '../values/cache.ts';
import { hasElapsed, type Moment, readClocks } from '../values/time.ts';
import { type CountUpdate, writeCounts } from './write-counts.ts';

/** The time for which a process keeps its counts in memory. */
const flushMs = 60_000;
/** The number of pending items above which they are written before this time. */
const itemsMax = 5_000;
/** The most items that are kept while the store is unreachable. */
const keptMax = 50_000;
/** The number of items that are written at the same time. */
const writesAtOnce = 16;
/** The time after which the use of a thing is recorded again. Its item expires only after days. */
export const useMs = 60 * 60 * 1_000;
const recordsMax = 100_000;

/** Limits for records of when a thing was last seen. */
interface SightingLimits {
  /** The time after which a thing is recorded again. */
  readonly againMs: number;
  /** The most things that are recorded again between two writes; others follow later. */
  readonly againMax: number;
}

/** Half of the time between two writes, so that an SDK that reports every minute is part of each write. */
const freeSightings: SightingLimits = { againMs: flushMs / 2, againMax: Number.POSITIVE_INFINITY };
/**
 * Limits for a store that charges per write: without them, the records of many instances would cost as much as their calls.
 * @internal
 */
export const meteredSightings: SightingLimits = { againMs: 5 * 60 * 1_000, againMax: 500 };

/**
 * The counts and times of last use of a process since its last write. Every SDK reports all flags every minute; a write
 * per report would cost a hundred times as much as one write per minute for all.
 */
export class UsageBuffer {
  #pending = new Map<string, Pending>();
  #flushedAt: Moment | undefined;
  readonly #recordedAt = new BoundedMap<string, Moment>(recordsMax);
  readonly #sightings: SightingLimits;
  #recordedAgain = 0;

  constructor({ isMetered }: Pick<Request['store'], 'isMetered'>) {
    this.#sightings = isMetered ? meteredSightings : freeSightings;
  }

  /** The number of pending items. */
  get size(): number {
    return this.#pending.size;
  }

  /** Adds to counts of an item. */
  count(key: Key, add: Readonly<Record<string, number>>, set: CountUpdate['set'] = {}): void {
    this.#merge({ key, add, set });
  }

  /**
   * Tells whether a thing has to be recorded, for the first time or again, and remembers that it is.
   * @param options `afterMs`: the time until it has to be recorded again; `at`: the current moment, if the caller knows it already.
   */
  isDue(id: string, { afterMs = this.#sightings.againMs, at = readClocks() } = {}): boolean {
    if (!hasElapsed(this.#recordedAt.get(id), afterMs, at)) return false;
    this.#recordedAt.set(id, at);
    return true;
  }

  /** Sets attributes of an item. */
  set(key: Key, set: NonNullable<CountUpdate['set']>): void {
    this.#merge({ key, set });
  }

  /**
   * Records when a thing was seen, for the first time, with other properties, or again after a while.
   * @param seen the attributes with the time.
   * @param properties other attributes; if they differ from the last ones, they are recorded at once.
   */
  recordSeen(key: Key, seen: NonNullable<CountUpdate['set']>, properties: NonNullable<CountUpdate['set']> = {}): void {
    const id = `${keyText(key)}\n${JSON.stringify(properties)}`;
    const isAgain = this.#recordedAt.has(id);
    if ((isAgain && this.#recordedAgain >= this.#sightings.againMax) || !this.isDue(id)) return;
    this.#recordedAgain += Number(isAgain);
    this.#merge({ key, set: { ...properties, ...seen } });
  }

  /** Records the use of a thing as `recordSeen` does, but again only once an hour. */
  recordUse(key: Key, used: NonNullable<CountUpdate['set']>, properties: NonNullable<CountUpdate['set']> = {}): void {
    if (!this.isDue(`${keyText(key)}\n${JSON.stringify(properties)}`, { afterMs: useMs })) return;
    this.#merge({ key, set: { ...properties, ...used } });
  }

  /** Writes all pending items a minute after the last write, or if there are many. Returns true if it was due. */
  async flushIfDue(request: Request): Promise<boolean> {
    const isTime = hasElapsed(this.#flushedAt, flushMs) || this.#pending.size > itemsMax;
    const isDue = isTime && this.#pending.size > 0;
    if (isDue) await this.flush(request);
    return isDue;
  }

  /**
   * Writes all pending items. Failed ones are kept for the next time, unless the store will never accept them: without the
   * right to write, or if an item would become too large.
   */
  async flush(request: Request): Promise<void> {
    this.#flushedAt = readClocks();
    this.#recordedAgain = 0;
    const updates = [...this.#pending.values()];
    this.#pending = new Map();
    for (let start = 0; start < updates.length; start += writesAtOnce) {
      const chunk = updates.slice(start, start + writesAtOnce);
      const outcomes = await Promise.allSettled(chunk.map((update) => writeCounts(request, update)));
      const failed = chunk.filter((_, index) => {
        const outcome = outcomes[index];
        return outcome?.status === 'rejected' && !isPermanentRefusal(outcome.reason);
      });
      // If all writes fail, the store is unreachable, and the other writes would only wait for it.
      const isUnreachable = failed.length === chunk.length;
      for (const { key, add, set } of isUnreachable ? updates.slice(start) : failed) {
        // Attributes that were set meanwhile are newer.
        this.#merge({ key, add, set: { ...set, ...this.#pending.get(keyText(key))?.set } });
      }
      if (isUnreachable) return;
    }
  }

  #merge({ key, add = {}, set = {} }: CountUpdate): void {
    const id = keyText(key);
    const existing = this.#pending.get(id);
    if (existing === undefined && this.#pending.size >= keptMax) return;
    const pending = existing ?? { key, add: {}, set: {} };
    if (existing === undefined) this.#pending.set(id, pending);
    for (const name of Object.keys(add)) pending.add[name] = (pending.add[name] ?? 0) + (add[name] ?? 0);
    Object.assign(pending.set, set);
  }
}

/** The pending update of an item. */
interface Pending extends CountUpdate {
  readonly add: Record<string, number>;
  readonly set: Record<string, string | number>;
}

const bufferOf = cachePerObject((store: Request['store']) => new UsageBuffer(store));

/** Returns the buffer of this process for a table. */
export function findUsageBuffer({ store }: Pick<Request, 'store'>): UsageBuffer {
  return bufferOf(store);
}
