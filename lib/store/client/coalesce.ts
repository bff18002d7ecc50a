import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { cachePerObject } from '../../values/cache.ts';
import type { Work } from '../work.ts';

interface Gathering<Wanted> {
  /** Only what is of one kind can share a request; everything can, unless it is said. */
  readonly kindOf?: (wanted: Wanted) => string;
  /** The most callers that can share one. */
  readonly most?: number;
}

/** Something that is asked for, and who waits for it. */
interface Asked<Wanted, Found> extends Omit<PromiseWithResolvers<Found>, 'promise'> {
  readonly wanted: Wanted;
}

/**
 * The callers that wait for the next request of one kind, and the latest one under way; full requests are not counted.
 */
interface Line<Wanted, Found> {
  readonly waiting: Asked<Wanted, Found>[];
  underWay?: Promise<void>;
}

/**
 * The milliseconds for which a request waits for the one before it. The store usually answers sooner; a lost answer
 * must not hold up others.
 */
const patienceMs = 50;

/**
 * Makes a function that asks the store for one thing, in one request with all that is asked for at the same moment. The
 * moment ends when the process has worked off what has arrived, and the previous request of the same kind is answered or
 * has taken 50 ms. So an operation states what it needs where it needs it and waits once, and the busier a server is, the
 * more of its requests share one to the store. Nothing is kept: later reads are answered by a later request.
 *
 * So things that are asked for at the same moment may be read in any order. Where one must not be newer than another, such
 * as a count that a write is conditioned on, await it before you ask for the other.
 * @param carryOut asks for several things of one kind, and answers in their order.
 */
export function coalesce<Wanted, Found>(
  carryOut: (work: Work, alike: readonly Wanted[]) => Promise<readonly Found[]>,
  { kindOf = () => '', most = Number.POSITIVE_INFINITY }: Gathering<Wanted> = {},
): (work: Work, wanted: Wanted) => Promise<Found> {
  /** By kind, for each open table. */
  const linesOf = cachePerObject((_: Work['store']) => new Map<string, Line<Wanted, Found>>());

  async function settle(work: Work, asked: readonly Asked<Wanted, Found>[]): Promise<void> {
    try {
      const wanted = asked.map((each) => each.wanted);
      const found = await carryOut(work, wanted);
      asked.forEach(({ resolve }, index) => void resolve(found[index] as Found));
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  }

  /** Sends all that waits, once the request before it is answered or takes too long. */
  async function sendWaiting(work: Work, kind: string, line: Line<Wanted, Found>): Promise<void> {
    await nextTurn();
    if (line.underWay !== undefined) await Promise.race([line.underWay, sleep(patienceMs, undefined, { ref: false })]);
    // All of it may have filled a request and been sent already.
    if (line.waiting.length === 0) return;
    const underWay = settle(work, line.waiting.splice(0));
    line.underWay = underWay;
    await underWay;
    if (line.underWay !== underWay) return;
    delete line.underWay;
    if (line.waiting.length === 0) linesOf(work.store).delete(kind);
  }

  return (work, wanted) => {
    const kinds = linesOf(work.store);
    const kind = kindOf(wanted);
    const line = kinds.get(kind) ?? { waiting: [] };
    kinds.set(kind, line);
    const { promise, resolve, reject } = Promise.withResolvers<Found>();
    line.waiting.push({ wanted, resolve, reject });
    // A full request is sent at once.
    if (line.waiting.length === most) void settle(work, line.waiting.splice(0));
    else if (line.waiting.length === 1) void sendWaiting(work, kind, line);
    return promise;
  };
}
