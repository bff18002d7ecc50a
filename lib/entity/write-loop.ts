import type { Actor } from '../events/actor.ts';
import type { NewEvent } from '../events/event.ts';
import { EventIdPool, noEventIds, takeEventIds } from '../events/event-ids.ts';
import type { Request } from '../request.ts';
import type { Key } from '../store/client/definition.ts';
import { retrySerially } from '../store/transactions/retry.ts';
import { transact } from '../store/transactions/transact.ts';
import type { WriteBudget } from './commit-units.ts';
import { type Stamping, stampSteps, stepsFollowing, writesOf } from './stamp-steps.ts';
import type { FlagRequest, Step } from './step.ts';

/** The steps of a decision. */
export interface DecidedSteps {
  /** In chunks; each is asked for when the one before is stamped, so that no more is in memory than a request may write. */
  readonly steps: Iterable<readonly Step[]> | AsyncIterable<readonly Step[]>;
  /** Bounds the bytes that all steps write. */
  readonly budget?: WriteBudget | undefined;
}

/** A decision: the steps that it takes, and the result of the change. */
export interface Decided<Result> extends DecidedSteps {
  readonly result: Result;
  /** An event that the last transaction adds, if the change stores anything; for steps that are stored in stages. */
  readonly closing?: NewEvent;
  /** True where more is left to decide on when these steps are stored. */
  readonly isPart?: boolean;
}

/** A change: what it reads, what it decides, and how that is stored. */
export interface WriteLoop<Found, Result> {
  readonly storing: Storing<Found>;
  /** The items that it depends on. After a first conflict, writers of one of them in one process queue. */
  readonly of: readonly Key[];
  /** The number of events to expect, 1 by default; a change with more of them takes another request. */
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
  ) => Decided<Result> | Promise<Decided<Result>>;
}

/**
 * Author of a change, or the one who turns out to be permitted by what it reads. The caller of an endpoint that declares no
 * `permission` is none: it is undefined.
 */
export type AuthorOf<Found> = Actor | ((found: Found) => Actor);

/** The attempts so far. */
export interface LoopProgress {
  /** Ids under which nothing is stored yet; undefined where some of them may be used. */
  ids: Promise<EventIdPool> | undefined;
  /** True once a part of the change is stored. */
  hasStored: boolean;
}

/** A way to store the steps of a decision: in one transaction (`once`), in stages, or one after the other. */
export interface Storing<Found = unknown> {
  /** Finds the steps that earlier runs of the same request have stored. */
  readonly findFinished?: (request: Request) => Promise<ReadonlySet<string>>;
  /** @returns true if nothing of the decision is left to store; else another attempt follows. */
  readonly store: (
    request: Request | FlagRequest,
    decided: Decided<unknown>,
    stamping: Stamping,
    progress: LoopProgress,
    found: Found,
  ) => Promise<boolean>;
}

/** Stores all steps in one transaction, with the answer for a repeated request. */
export const once: Storing = {
  async store(request, decided, stamping) {
    const steps = (await Array.fromAsync(decided.steps)).flat();
    const stamped = await stampSteps(request, [...steps, ...(await stepsFollowing(request, steps))], stamping);
    if (stamped.length > 0) await transact(request, writesOf(stamped), decided.result);
    return true;
  },
};

/**
 * Reads, decides and writes, and decides again from the new state where another writer was faster, until all is stored. Every
 * change goes this way, so that its state, its events, what follows from them, and the answer for a repeated request are stored
 * together.
 * @throws ApiError what `read`, the choice of an author and `decide` throw; 400 for more than the store can hold or carry out
 * together; 503 where the items stay contended for seconds.
 */
export async function writeInLoop<Found, Result>(
  request: Request | FlagRequest,
  author: AuthorOf<Found>,
  loop: WriteLoop<Found, Result>,
): Promise<Result> {
  const progress: LoopProgress = { ids: undefined, hasStored: false };
  for (;;) {
    const { isComplete, result } = await retrySerially(request, loop.of, () =>
      attemptOnce(request, author, loop, progress),
    );
    if (isComplete) return result;
  }
}

async function attemptOnce<Found, Result>(
  request: Request | FlagRequest,
  author: AuthorOf<Found>,
  { storing, likelyEvents, read, decide }: WriteLoop<Found, Result>,
  progress: LoopProgress,
): Promise<{ readonly isComplete: boolean; readonly result: Result }> {
  // Taken while the first attempt reads, not while it waits for its turn, when other writers may take higher ones. Asked for
  // first: an embedded store then reads in the same transaction.
  progress.ids ??= takePool(request, likelyEvents);
  const [ids, found] = await Promise.all([progress.ids, read()]);
  ids.giveBack();
  // After the read: versions show what another run of the request changes later.
  const finished = (await storing.findFinished?.(request)) ?? none;
  progress.hasStored ||= finished.size > 0;
  const actor = typeof author === 'function' ? author(found) : author;
  const at = new Date().toISOString();
  const decided = await decide(found, at, finished);
  const isStored = await storing.store(request, decided, { ids, actor, at }, progress, found);
  return { isComplete: isStored && decided.isPart !== true, result: decided.result };
}

const none: ReadonlySet<string> = new Set();

async function takePool(request: Request, likelyEvents = 1): Promise<EventIdPool> {
  return new EventIdPool(request, likelyEvents === 0 ? noEventIds : await takeEventIds(request, likelyEvents));
}
