import type { NewEvent } from '../events/event.ts';
import type { EventIdPool } from '../events/event-ids.ts';
import type { Request } from '../request.ts';
import { transact } from '../store/transactions/transact.ts';
import type { WriteBudget } from './commit-units.ts';
import type { ChangeUnit, FlagRequest } from './effects.ts';
import { loadFollowingUnits, type Stamping, stampUnits, writesOf } from './stamp-units.ts';

/** The units of a decision. */
export interface DecidedUnits {
  /** In chunks, the next only when the last one is stamped, so that memory stays within what one request may write. */
  readonly units: Iterable<readonly ChangeUnit[]> | AsyncIterable<readonly ChangeUnit[]>;
  /** Bounds the bytes that all units write. */
  readonly budget?: WriteBudget | undefined;
}

/** A decision: the units that it takes, and the result of the change. */
export interface DecidedChange<Result> extends DecidedUnits {
  readonly result: Result;
  /** An event that the last transaction adds, if the change stores anything; for units that are stored in stages. */
  readonly finalEvent?: NewEvent;
  /** True where more is left to decide on when these units are stored. */
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
  readonly decided: DecidedChange<unknown>;
  readonly stamping: Stamping;
  readonly attempts: Attempts;
  readonly found: Found;
}

/** A way to store the units of a decision. */
export interface WriteStrategy<Found = unknown> {
  /** Finds the names of the units that earlier runs of the same request have stored. */
  readonly findFinished?: (request: Request) => Promise<ReadonlySet<string>>;
  /** Stores a decision. @returns true if nothing of it is left; else everything is read and decided again. */
  readonly store: (request: Request | FlagRequest, storable: Storable<Found>) => Promise<boolean>;
}

/** Stores all units in one transaction, with the answer for a repeated request. */
export const inOneTransaction: WriteStrategy = {
  async store(request, { decided, stamping }) {
    const units = (await Array.fromAsync(decided.units)).flat();
    const stamped = await stampUnits(request, [...units, ...(await loadFollowingUnits(request, units))], stamping);
    if (stamped.length > 0) await transact(request, writesOf(stamped), decided.result);
    return true;
  },
};
