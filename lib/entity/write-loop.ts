import type { Actor } from '../events/actor.ts';
import { EventIdPool, noEventIds, takeEventIds } from '../events/event-ids.ts';
import type { Request } from '../request.ts';
import type { Key } from '../store/client/definition.ts';
import { retryInQueue } from '../store/transactions/retry.ts';
import type { FlagRequest } from './effects.ts';
import type { Attempts, DecidedChange, WriteStrategy } from './write-strategy.ts';

/** All that the loop needs to carry out a change. */
export interface ChangePlan<Found, Result> {
  readonly strategy: WriteStrategy<Found>;
  /** The items that it depends on. After a lost race, writers in this process that share one of them take turns. */
  readonly of: readonly Key[];
  /** The number of events to expect, 1 by default; more of them cost one more call to the counter. */
  readonly likelyEvents?: number | undefined;
  readonly read: () => Promise<Found>;
  /**
   * Decides without changing anything: another attempt decides again from what it finds.
   * @param at the time of all events.
   * @param finished the names of steps that earlier, interrupted runs of the same request have stored.
   */
  readonly decide: (
    found: Found,
    at: string,
    finished: ReadonlySet<string>,
  ) => DecidedChange<Result> | Promise<DecidedChange<Result>>;
}

/**
 * Author of a change, or the one who turns out to be permitted by what it reads. The caller of an endpoint without `permission`
 * is no author: it is undefined, and does not compile here.
 */
export type AuthorOf<Found> = Actor | ((found: Found) => Actor);

/**
 * Reads, decides and stores, and starts again where another writer was faster, until all is stored. State, events and what
 * follows from them are stored together; `storing` says in how many transactions, and whether with the answer for a repeated
 * request.
 * @throws ApiError what `read`, the choice of an author and `decide` throw; 400 for more than the store can hold or carry out
 * together; 503 where the items stay contended for seconds.
 */
export async function writeInLoop<Found, Result>(
  request: Request | FlagRequest,
  author: AuthorOf<Found>,
  plan: ChangePlan<Found, Result>,
): Promise<Result> {
  const attempts: Attempts = { ids: undefined, hasStored: false };
  // Each round stores a part, or all; within a round, another attempt follows a lost race.
  for (;;) {
    const { isComplete, result } = await retryInQueue(request, plan.of, () => attempt(request, author, plan, attempts));
    if (isComplete) return result;
  }
}

async function attempt<Found, Result>(
  request: Request | FlagRequest,
  author: AuthorOf<Found>,
  { strategy: storing, likelyEvents, read, decide }: ChangePlan<Found, Result>,
  attempts: Attempts,
): Promise<{ readonly isComplete: boolean; readonly result: Result }> {
  // Not before the turn of this writer: while it waits, others would take higher ids, and these would be too low. Started
  // before the read, so that an embedded store does both in one transaction.
  attempts.ids ??= takePool(request, likelyEvents);
  const [ids, found] = await Promise.all([attempts.ids, read()]);
  // Those of an attempt that has lost a race.
  ids.rewind();
  // After the read: if another run stores a step in between, the condition on the version fails.
  const finished = (await storing.findFinished?.(request)) ?? none;
  attempts.hasStored ||= finished.size > 0;
  const actor = typeof author === 'function' ? author(found) : author;
  const at = new Date().toISOString();
  const decided = await decide(found, at, finished);
  const isStored = await storing.store(request, { decided, stamping: { ids, actor, at }, attempts, found });
  return { isComplete: isStored && decided.isPart !== true, result: decided.result };
}

const none: ReadonlySet<string> = new Set();

async function takePool(request: Request, likelyEvents = 1): Promise<EventIdPool> {
  return new EventIdPool(request, likelyEvents === 0 ? noEventIds : await takeEventIds(request, likelyEvents));
}
