import type { Request } from '../request.ts';
import { type Key, keyText } from '../store/client/definition.ts';
import { isPermanentRefusal } from '../store/client/exceptions.ts';
import { BoundedMap, cachePerObject } from '../values/cache.ts';
import { hasElapsed, type Moment, readClocks } from '../values/time.ts';
import { type CountUpdate, writeCounts } from './write-counts.ts';

/** The milliseconds for which a process keeps its counts in memory. */
const flushMs = 60_000;
/** So many items are written at once, however short a time has passed. */
const itemsMax = 5_000;
/** While the store cannot be reached, no more than this is kept for later. */
const keptMax = 50_000;
/** The number of items that are written at the same time. */
const writesAtOnce = 16;
/** The milliseconds for which it need not be noted again that something is in use: only what has expired is not. */
export const useMs = 60 * 60 * 1_000;
const notesMax = 100_000;

/** The bounds of noting when something was last seen. */
interface SightingLimits {
  /** The milliseconds for which it need not be noted again. */
  readonly againMs: number;
  /** The most things that are noted again between two writes; others take their turn after that. */
  readonly againMax: number;
}

/** Half of the time between two writes, so that none is missed by the reports of an SDK that come once a minute. */
const freeSightings: SightingLimits = { againMs: flushMs / 2, againMax: Number.POSITIVE_INFINITY };
/**
 * Each process notes what it hears of, so that without a maximum the sightings of many instances cost as much as their calls.
 * @internal
 */
export const meteredSightings: SightingLimits = { againMs: 5 * 60 * 1_000, againMax: 500 };

/**
 * The counts and sightings of a process since its last write. SDKs report every minute, each of them every flag, so
 * that a write for each would cost a hundred times as much as one a minute for all.
 */
export class UsageBuffer {
  #pending = new Map<string, Pending>();
  #flushedAt: Moment | undefined;
  readonly #notedAt = new BoundedMap<string, Moment>(notesMax);
  readonly #sightings: SightingLimits;
  #notedAgain = 0;

  constructor({ isMetered }: Pick<Request['store'], 'isMetered'>) {
    this.#sightings = isMetered ? meteredSightings : freeSightings;
  }

  /** The number of items that wait to be written. */
  get size(): number {
    return this.#pending.size;
  }

  /** Adds to what is counted. */
  count(key: Key, add: Readonly<Record<string, number>>, set: CountUpdate['set'] = {}): void {
    this.#merge({ key, add, set });
  }

  /**
   * Tells whether something has to be noted: the first time, and from then on after a while.
   * @param afterMs how long that is: for a time that is shown by default, and longer for what is only to be kept.
   */
  isDue(id: string, afterMs = this.#sightings.againMs): boolean {
    if (!hasElapsed(this.#notedAt.get(id), afterMs)) return false;
    this.#notedAt.set(id, readClocks());
    return true;
  }

  /** Replaces the known state of something. */
  set(key: Key, set: NonNullable<CountUpdate['set']>): void {
    this.#merge({ key, set });
  }

  /** Says that something was seen: the first time, whenever something else is said of it, and from then on after a while. */
  note(key: Key, seen: NonNullable<CountUpdate['set']>, about: NonNullable<CountUpdate['set']> = {}): void {
    const id = `${keyText(key)}\n${JSON.stringify(about)}`;
    const isAgain = this.#notedAt.has(id);
    if ((isAgain && this.#notedAgain >= this.#sightings.againMax) || !this.isDue(id)) return;
    this.#notedAgain += Number(isAgain);
    this.#merge({ key, set: { ...about, ...seen } });
  }

  /** Says that something is in use: as `note`, but again only once an hour. */
  noteUse(key: Key, used: NonNullable<CountUpdate['set']>, about: NonNullable<CountUpdate['set']> = {}): void {
    if (!this.isDue(`${keyText(key)}\n${JSON.stringify(about)}`, useMs)) return;
    this.#merge({ key, set: { ...about, ...used } });
  }

  /**
   * Writes everything down if that is due: a minute after the last time, or where there is much. Answers whether it
   * was.
   */
  async flushIfDue(request: Request): Promise<boolean> {
    const isLater = hasElapsed(this.#flushedAt, flushMs) || this.#pending.size > itemsMax;
    const isDue = isLater && this.#pending.size > 0;
    if (isDue) await this.flush(request);
    return isDue;
  }

  /**
   * Writes everything down. What the store does not take now is kept for the next time, unless it never will: without the right
   * to write, or where an item would become too large.
   */
  async flush(request: Request): Promise<void> {
    this.#flushedAt = readClocks();
    this.#notedAgain = 0;
    const updates = [...this.#pending.values()];
    this.#pending = new Map();
    for (let start = 0; start < updates.length; start += writesAtOnce) {
      const some = updates.slice(start, start + writesAtOnce);
      const written = await Promise.allSettled(some.map((each) => writeCounts(request, each)));
      const failed = some.filter((_, index) => {
        const outcome = written[index];
        return outcome?.status === 'rejected' && !isPermanentRefusal(outcome.reason);
      });
      // A store that takes none of them is out of reach; those that follow would wait for it, too.
      const isOut = failed.length === some.length;
      for (const { key, add, set } of isOut ? updates.slice(start) : failed) {
        // What came meanwhile is newer.
        this.#merge({ key, add, set: { ...set, ...this.#pending.get(keyText(key))?.set } });
      }
      if (isOut) return;
    }
  }

  #merge({ key, add = {}, set = {} }: CountUpdate): void {
    const id = keyText(key);
    const known = this.#pending.get(id);
    if (known === undefined && this.#pending.size >= keptMax) return;
    const pending = known ?? { key, add: {}, set: {} };
    if (known === undefined) this.#pending.set(id, pending);
    for (const [name, amount] of Object.entries(add)) pending.add[name] = (pending.add[name] ?? 0) + amount;
    Object.assign(pending.set, set);
  }
}

/** The counts of one item that wait to be written. */
interface Pending extends CountUpdate {
  readonly add: Record<string, number>;
  readonly set: Record<string, string | number>;
}

const memoryOf = cachePerObject((store: Request['store']) => new UsageBuffer(store));

/** The memory of this process for a table. */
export function findUsageBuffer({ store }: Pick<Request, 'store'>): UsageBuffer {
  return memoryOf(store);
}
