import { type Change, changeFlag } from '../entity/change.ts';
import { type Effects, type FlagRequest, noEffects } from '../entity/step.ts';
import type { AuthorOf } from '../entity/write-loop.ts';
import { serviceEventWrites } from '../events/event-items.ts';
import type { Event } from '../events/event-schema.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import type { Write } from '../store/transactions/write.ts';
import type { StoredFeature, Tombstone } from './items/feature-items.ts';
import { type FeatureChange, featureWrites } from './items/feature-writes.ts';
import * as featureKeys from './keys.ts';

/** Decision on a feature: its change and the result. */
export interface FeatureDecision<T> extends FeatureChange {
  /** Writes to the feature, where they are more or less than the difference from what was read. */
  readonly writes?: (events: readonly Event[]) => readonly Write[];
  readonly value: T;
  /** Further effects, written in the same transaction. */
  readonly besides?: Effects;
}

/** The feature, or what is left of an earlier one of the name. */
interface FoundFeature {
  readonly stored?: StoredFeature | undefined;
  readonly remains?: Tombstone | undefined;
}

/** A change of one feature: `changeFeature` carries it out, and a change request plans it. */
export interface ChangeOfFeature<Found, T>
  extends Pick<Change<Found, FeatureDecision<T>>, 'likelyEvents' | 'read' | 'expected' | 'decide'> {
  /** The name of the feature. */
  readonly name: string;
}

/**
 * Reads a feature and whatever else its change or creation depends on, decides, and writes the result as a whole: its
 * state, its events and the counters that they change. A decision without events changes nothing.
 * @throws as `change` does.
 */
export function changeFeature<Found extends FoundFeature, T>(
  request: FlagRequest,
  author: AuthorOf<Found>,
  { name, decide, ...ours }: ChangeOfFeature<Found, T>,
): Promise<Versioned<T>> {
  return changeFlag<Found, Versioned<T>>(request, author, {
    ...ours,
    of: [featureKeys.feature(name)],
    what: `feature "${name}"`,
    // A new feature has no version that a caller could expect.
    revisionOf: ({ stored, remains }) => stored?.revision ?? (remains && { ...remains, version: 0 }),
    decide: (found, at) => {
      const { events, value, besides = noEffects, ...decided } = decide(found, at);
      const { version } = decided.stored?.revision ?? decided.remains ?? { version: 0 };
      if (events.length === 0) return { ...noEffects, result: { value, version } };
      const { writes = (stamped: readonly Event[]) => featureWrites(request, decided, stamped) } = decided;
      return {
        writes: besides.writes,
        events: [...events, ...besides.events],
        record: (stamped) => [
          ...writes(stamped.slice(0, events.length)),
          ...serviceEventWrites(stamped.slice(events.length)),
        ],
        flag: { schedules: decided.stored?.own.schedules, after: decided.after },
        result: { value, version: version + 1 },
      };
    },
  });
}
