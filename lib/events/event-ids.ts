import type { Request } from '../request.ts';
import * as keys from '../store/keys.ts';
import { raiseCounter } from '../store/transactions/transact.ts';

/** Numbers taken from the counter, for one writer alone. */
export interface EventIds {
  readonly first: number;
  readonly last: number;
}

/**
 * Takes ids for the events that a decision may make, while its facts are still being read. The counter is outside the
 * transaction, which it would serialize; unused ids leave a gap. One item takes some 1,000 such calls a second, for all
 * projects together. Beyond that, blocks per process would do, at the price of larger gaps: ids need to rise per
 * feature only.
 */
export async function takeEventIds(request: Request, amount: number): Promise<EventIds> {
  const last = await raiseCounter(request, keys.counter('event'), Math.max(amount, 1));
  return { first: last - Math.max(amount, 1) + 1, last };
}

/** Returns the ids if they suffice and rise above those given before, otherwise new ones. */
export async function sufficientEventIds(
  request: Request,
  ids: EventIds,
  amount: number,
  above: number,
): Promise<EventIds> {
  const suffice = ids.first > above && ids.last - ids.first + 1 >= amount;
  return suffice ? ids : takeEventIds(request, amount);
}

/** Ids for many changes of one request, in rising order: those that were taken at first, and new ones as these run out. */
export class EventIdPool {
  readonly #request: Request;
  #ids: EventIds;

  constructor(request: Request, ids: EventIds) {
    this.#request = request;
    this.#ids = ids;
  }

  /** The first of `amount` ids above `above`. */
  async next(amount: number, above: number): Promise<number> {
    this.#ids = await sufficientEventIds(this.#request, this.#ids, amount, above);
    const { first, last } = this.#ids;
    this.#ids = { first: first + amount, last };
    return first;
  }
}
