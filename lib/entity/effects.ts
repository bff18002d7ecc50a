import type { NewEvent } from '../events/event.ts';
import type { Event } from '../events/event-schema.ts';
import type { Request } from '../request.ts';
import type { Write } from '../store/transactions/write.ts';

/** Writes, with the events that record them: all or none of them are stored. */
export interface Effects {
  readonly writes: readonly Write[];
  readonly events: readonly NewEvent[];
}

/** The effects of a decision that nothing is to be stored. */
export const noEffects: Effects = { writes: [], events: [] };

/** Effects of one transaction, in the given order. */
export function mergeEffects(all: readonly Effects[]): Effects {
  return { writes: all.flatMap(({ writes }) => writes), events: all.flatMap(({ events }) => events) };
}

/** A part of a change that is written as a whole, with its events. */
export interface ChangeUnit extends Effects {
  /**
   * The name of what it changes, e.g. `feature "checkout"`, for errors. By it, an interrupted request that is sent again knows
   * what it has stored.
   */
  readonly what: string;
  /** Writes the events under their ids; as events of the service where this is left out. */
  readonly record?: ((events: readonly Event[]) => readonly Write[]) | undefined;
  /** The last event of the thing so far; the ids of its next events are higher. */
  readonly lastEventId?: number | undefined;
  /** Steps of a higher stage are written after those of a lower one, unless all fit into one transaction; 1 by default. */
  readonly stage?: number | undefined;
  /** The feature or segment that it changes. */
  readonly flag?: ChangedFlag | undefined;
}

/** A feature or segment that a step changes, as far as the schedules of change requests depend on it. */
export interface ChangedFlag {
  /** JSON: the ids of the scheduled change requests that depend on it; missing where there are none. */
  readonly schedules?: string | undefined;
  /** The feature after the step; missing for a segment, and for a feature that is deleted. */
  readonly after?: FeatureAfter | undefined;
}

/** A feature as it is after a step. */
export interface FeatureAfter {
  readonly name: string;
  readonly environments: ReadonlyMap<
    string,
    { readonly strategies: readonly { readonly disabled?: boolean | undefined }[] }
  >;
}

/**
 * Returns the steps that follow from steps which change features and segments: they are part of the same change. It is asked
 * only about those on which schedules depend.
 */
export type EffectsOf = (request: Request, steps: readonly ChangeUnit[]) => Promise<readonly ChangeUnit[]>;

/** A request that may change features or segments, with what follows from that. */
export interface FlagRequest extends Request {
  readonly effectsOf: EffectsOf;
}
