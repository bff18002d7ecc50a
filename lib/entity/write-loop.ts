import type { Actor } from '../events/actor.ts';
import { EventIdPool, noEventIds, takeEventIds } from '../events/event-ids.ts';
import type { Request } from '../request.ts';
import type { Key } from '../store/client/definition.ts';
import { retryInQueue } from '../store/transactions/retry.ts';
import type { FlagRequest } from './effects.ts';
import type { Attempts, DecidedChange, WriteStrategy } from './write-strategy.ts';

/** A change, and the strategy to store it. */
export interface ChangePlan<Loaded, Result> {
  readonly strategy: WriteStrategy<Loaded>;
  /** The items that it depends on. After a lost race, writers of the same item in this process queue. */
  readonly items: readonly Key[];
  /** The expected number of events, 1 by default. More events than expected cost another call to the counter. */
  readonly likelyEvents?: number | undefined;
  readonly read: () => Promise<Loaded>;
  /**
   * Decides without side effects, since another attempt decides again.
   * @param at the time of all events.
   * @param finished the names of the units that earlier, interrupted runs of the same request have stored.
   */
  readonly decide: (
    loaded: Loaded,
    at: string,
    finished: ReadonlySet<string>,
  ) => DecidedChange<Result> | Promise<DecidedChange<Result>>;
}

/**
 * The actor of a change, or a function that checks the permission after the read. The caller of an endpoint without `permission` is
 * not an actor, so it does not compile here.
 */
export type AuthorOf<Loaded> = Actor | ((loaded: Loaded) => Actor);

/**
 * Reads, decides and stores a change, and starts again after a lost race, until all of it is stored. Its items, its events and its
 * effects on schedules are stored together; the strategy determines the transactions, and whether there is an idempotency record.
 * @throws ApiError everything that `read`, the author function and `decide` throw; 400 if a unit exceeds the store's limits; 503 if
 * the items stay contended for seconds.
 */
export async function writeInLoop<Loaded, Result>(
  request: Request | FlagRequest,
  author: AuthorOf<Loaded>,
  plan: ChangePlan<Loaded, Result>,
): Promise<Result> {
  const attempts: Attempts = { ids: undefined, hasStored: false };
  // Each round stores the change or a part of it. Within a round, lost races are retried.
  for (;;) {
    const { isComplete, result } = await retryInQueue(request, plan.items, () =>
      attempt(request, author, plan, attempts),
    );
    if (isComplete) return result;
  }
}

async function attempt<Loaded, Result>(
  request: Request | FlagRequest,
  author: AuthorOf<Loaded>,
  { strategy, likelyEvents, read, decide }: ChangePlan<Loaded, Result>,
  attempts: Attempts,
): Promise<{ readonly isComplete: boolean; readonly result: Result }> {
  // Ids are taken after the wait in the queue: during the wait, others would take higher ids. The call starts before the read, so
  // that an in-process store does both in one transaction.
  attempts.ids ??= takePool(request, likelyEvents);
  const [ids, loaded] = await Promise.all([attempts.ids, read()]);
  // After a lost race, the ids of the failed attempt are used again.
  ids.rewind();
  // Must follow the read: if another run stores a unit in between, the condition on the version fails.
  const finished = (await strategy.findFinished?.(request)) ?? noUnits;
  attempts.hasStored ||= finished.size > 0;
  const actor = typeof author === 'function' ? author(loaded) : author;
  const at = new Date().toISOString();
  const decision = await decide(loaded, at, finished);
  const isStored = await strategy.store(request, { decision, stamping: { ids, actor, at }, attempts, loaded });
  return { isComplete: isStored && decision.isPart !== true, result: decision.result };
}

const noUnits: ReadonlySet<string> = new Set();

async function takePool(request: Request, likelyEvents = 1): Promise<EventIdPool> {
  return new EventIdPool(request, likelyEvents === 0 ? noEventIds : await takeEventIds(request, likelyEvents));
}
