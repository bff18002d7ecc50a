import type { NewEvent } from '../events/event.ts';
import type { Event } from '../events/event-schema.ts';
import type { Request } from '../request.ts';
import type { Write } from '../store/transactions/write.ts';

/** Writes and the events that record them, which are stored in one transaction. */
export interface Effects {
  readonly writes: readonly Write[];
  readonly events: readonly NewEvent[];
}

/** The effects of a decision to change nothing. */
export const noEffects: Effects = { writes: [], events: [] };

/** Merges effects into those of one transaction, in their order. */
export function mergeEffects(all: readonly Effects[]): Effects {
  return { writes: all.flatMap(({ writes }) => writes), events: all.flatMap(({ events }) => events) };
}

/** A part of a change that is stored in one transaction, with its events. */
export interface ChangeUnit extends Effects {
  /**
   * The name of the changed thing, such as `feature "checkout"`, for errors and the idempotency record, by which a repeat of an interrupted
   * request recognizes stored units.
   */
  readonly subject: string;
  /** Returns the writes for the events, once they have ids; by default, they are stored as events of no feature. */
  readonly record?: ((events: readonly Event[]) => readonly Write[]) | undefined;
  /** The last event id of the thing, which the ids of new events must exceed. */
  readonly lastEventId?: number | undefined;
  /** Units of a higher stage are stored after those of a lower one, unless all fit into one transaction; 1 by default. */
  readonly stage?: number | undefined;
  /** The feature or segment that it changes. */
  readonly flag?: ChangedFlag | undefined;
}

/** The properties of a changed feature or segment that matter to scheduled change requests. */
export interface ChangedFlag {
  /** JSON: the ids of the scheduled change requests that depend on it; missing if there are none. */
  readonly schedules?: string | undefined;
  /** The feature after the change; missing for a segment and for a deleted feature. */
  readonly after?: FeatureAfter | undefined;
}

/** The state of a feature after a change. */
export interface FeatureAfter {
  readonly name: string;
  readonly environments: ReadonlyMap<
    string,
    { readonly strategies: readonly { readonly disabled?: boolean | undefined }[]; readonly plan?: object }
  >;
}

/**
 * Returns the units that follow from changes of features and segments, such as the suspension of schedules. They become part of the
 * same change. It is only called with units on which schedules depend.
 */
export type EffectsOf = (request: Request, units: readonly ChangeUnit[]) => Promise<readonly ChangeUnit[]>;

/** A request that may change features or segments. */
export interface FlagRequest extends Request {
  readonly effectsOf: EffectsOf;
}
