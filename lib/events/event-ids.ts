import type { Request } from '../request.ts';
import * as keys from '../store/keys.ts';
import { raiseCounter } from '../store/transactions/transact.ts';

/*
 * What the order of ids says. The ids of one feature rise with its commits. Any other two events only tell so much: of two
 * requests of which one began when the other was answered, the later one has the higher ids, but for servers that share a store
 * and keep spare ids, where that holds for requests more than a second apart. An id is taken before its event is stamped and
 * committed, and so a lower id may be committed after a higher one, by as long as a request, a seed or a migration takes. Clocks
 * have no part in it.
 */

/** Numbers taken from the counter, for one writer alone. */
export interface EventIds {
  readonly first: number;
  readonly last: number;
}

/** Ids that a process has taken for events to come; in a second they may be lower than those of many other processes. */
interface Spare extends EventIds {
  /** By the clock of the process. */
  readonly until: number;
}

/** No ids: a pool of them takes the first that it needs. */
export const noEventIds: EventIds = { first: 1, last: 0 };

const noSpare: Spare = { ...noEventIds, until: 0 };
/** Missing for the store of a process that keeps none. */
const spares = new WeakMap<Request['store'], Spare>();
const spareIds = 50;
const spareMs = 1_000;

/** Lets a process that carries out many changes take ids for further events beside those of a change, while it is busy. */
export function keepSpareEventIds(store: Request['store']): void {
  spares.set(store, noSpare);
}

/**
 * Takes ids for the events that a decision may make, while its facts are still being read. The counter is outside the
 * transaction, which it would serialize; unused ids leave a gap. One item takes some 1,000 such calls a second, for all
 * projects together. Ids need to rise per feature only.
 * @param above all of the ids that were kept for events to come exceed it; those that are taken now exceed all others.
 */
export async function takeEventIds(request: Request, likely: number, above = 0): Promise<EventIds> {
  const amount = Math.max(likely, 1);
  const { first, last, until } = spares.get(request.store) ?? noSpare;
  const isBusy = performance.now() < until;
  if (isBusy && first > above && first + amount - 1 <= last) {
    spares.set(request.store, { first: first + amount, last, until });
    return { first, last: first + amount - 1 };
  }
  const spare = isBusy ? spareIds : 0;
  const end = await raiseCounter(request, keys.counter('event'), amount + spare);
  const own = end - spare;
  const kept = spares.get(request.store);
  // An answer that comes late brings lower ids than were given out meanwhile.
  if (kept !== undefined && end > kept.last) {
    spares.set(request.store, { first: own + 1, last: end, until: performance.now() + spareMs });
  }
  return { first: own - amount + 1, last: own };
}

/** Returns the ids if they suffice and rise above those given before, otherwise new ones. */
export async function sufficientEventIds(
  request: Request,
  ids: EventIds,
  amount: number,
  above: number,
): Promise<EventIds> {
  const suffice = ids.first > above && ids.last - ids.first + 1 >= amount;
  return suffice ? ids : takeEventIds(request, amount, above);
}

/** Ids for the changes of one request, in rising order: those that were taken at first, and new ones as these run out. */
export class EventIdPool {
  readonly #request: Request;
  /** The ids that were taken last. */
  #taken: EventIds;
  #next: number;

  constructor(request: Request, taken: EventIds) {
    this.#request = request;
    this.#taken = taken;
    this.#next = taken.first;
  }

  /**
   * Returns the first of `amount` ids above `above`.
   * @param spare the number of ids to keep behind them, for events that are to have the next ones.
   */
  async next(amount: number, above: number, spare = 0): Promise<number> {
    const left = { first: this.#next, last: this.#taken.last };
    const ids = await sufficientEventIds(this.#request, left, amount + spare, above);
    if (ids !== left) this.#taken = ids;
    this.#next = ids.first + amount;
    return ids.first;
  }

  /** Makes the ids that were taken last available again, where nothing was stored under them. */
  rewind(): void {
    this.#next = this.#taken.first;
  }
}
