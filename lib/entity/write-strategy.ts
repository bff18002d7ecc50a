import type { NewEvent } from '../events/event.ts';
import type { EventIdPool } from '../events/event-ids.ts';
import type { Request } from '../request.ts';
import { transact } from '../store/transactions/transact.ts';
import type { WriteBudget } from './commit-units.ts';
import type { ChangeUnit, FlagRequest } from './effects.ts';
import { loadFollowingUnits, type Stamping, stampUnits, writesOf } from './stamp-units.ts';

/** The units of a decision. */
export interface DecidedUnits {
  /** The units in chunks. A chunk is read after the previous one is stamped, to limit the memory. */
  readonly units: Iterable<readonly ChangeUnit[]> | AsyncIterable<readonly ChangeUnit[]>;
  /** Limits the bytes of all units. */
  readonly budget?: WriteBudget | undefined;
}

/** A decision: its units, and the result of the change. */
export interface DecidedChange<Result> extends DecidedUnits {
  readonly result: Result;
  /** An event that the last transaction adds if the change stores anything; only for `inStages`. */
  readonly finalEvent?: NewEvent;
  /** True if the change is not complete with these units: it is then read and decided again. */
  readonly isPart?: boolean;
}

/** The state that the attempts of a change share. */
export interface Attempts {
  /** The ids for the next attempt. Undefined if an event may be stored with one of them; then the next attempt takes new ids. */
  ids: Promise<EventIdPool> | undefined;
  /** True once a part of the change is stored. */
  hasStored: boolean;
}

/** The decision of one attempt, with everything that is needed to store it. */
interface Storable<Loaded> {
  readonly decision: DecidedChange<unknown>;
  readonly stamping: Stamping;
  readonly attempts: Attempts;
  readonly loaded: Loaded;
}

/** A way to distribute the units of a decision over transactions. */
export interface WriteStrategy<Loaded = unknown> {
  /** Finds the names of the units that earlier runs of the same request have stored. */
  readonly findFinished?: (request: Request) => Promise<ReadonlySet<string>>;
  /** Stores a decision. @returns false if a part is missing; then everything is read and decided again. */
  readonly store: (request: Request | FlagRequest, storable: Storable<Loaded>) => Promise<boolean>;
}

/** Stores all units in one transaction, with the idempotency record. */
export const inOneTransaction: WriteStrategy = {
  async store(request, { decision, stamping }) {
    const units = (await Array.fromAsync(decision.units)).flat();
    const stamped = await stampUnits(request, [...units, ...(await loadFollowingUnits(request, units))], stamping);
    if (stamped.length > 0) await transact(request, writesOf(stamped), decision.result);
    return true;
  },
};
