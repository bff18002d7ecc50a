import type { NewEvent } from '../events/event.ts';
import type { EventIdPool } from '../events/event-ids.ts';
import type { Request } from '../request.ts';
import { transact } from '../store/transactions/transact.ts';
import type { WriteBudget } from './commit-units.ts';
import { type Stamping, stampSteps, stepsFollowing, writesOf } from './stamp-steps.ts';
import type { FlagRequest, Step } from './step.ts';

/** The steps of a decision. */
export interface DecidedSteps {
  /** In chunks, the next only when the last one is stamped, so that memory stays within what one request may write. */
  readonly steps: Iterable<readonly Step[]> | AsyncIterable<readonly Step[]>;
  /** Bounds the bytes that all steps write. */
  readonly budget?: WriteBudget | undefined;
}

/** A decision: the steps that it takes, and the result of the change. */
export interface Decided<Result> extends DecidedSteps {
  readonly result: Result;
  /** An event that the last transaction adds, if the change stores anything; for steps that are stored in stages. */
  readonly finalEvent?: NewEvent;
  /** True where more is left to decide on when these steps are stored. */
  readonly isPart?: boolean;
}

/** The attempts so far. */
export interface Attempts {
  /** Undefined once an event may be stored under one of them: then the next attempt takes new ids. */
  ids: Promise<EventIdPool> | undefined;
  /** True once a part of the change is stored. */
  hasStored: boolean;
}

/** A decision of one attempt, with all that it takes to store it. */
interface Storable<Found> {
  readonly decided: Decided<unknown>;
  readonly stamping: Stamping;
  readonly attempts: Attempts;
  readonly found: Found;
}

/** A way to store the steps of a decision. */
export interface Storing<Found = unknown> {
  /** Finds the names of the steps that earlier runs of the same request have stored. */
  readonly findFinished?: (request: Request) => Promise<ReadonlySet<string>>;
  /** Stores a decision. @returns true if nothing of it is left; else everything is read and decided again. */
  readonly store: (request: Request | FlagRequest, storable: Storable<Found>) => Promise<boolean>;
}

/** Stores all steps in one transaction, with the answer for a repeated request. */
export const inOneTransaction: Storing = {
  async store(request, { decided, stamping }) {
    const steps = (await Array.fromAsync(decided.steps)).flat();
    const stamped = await stampSteps(request, [...steps, ...(await stepsFollowing(request, steps))], stamping);
    if (stamped.length > 0) await transact(request, writesOf(stamped), decided.result);
    return true;
  },
};
