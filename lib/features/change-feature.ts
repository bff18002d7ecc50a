import { type Change, changeFlag } from '../entity/change.ts';
import { type Effects, type FlagRequest, noEffects } from '../entity/effects.ts';
import type { AuthorOf } from '../entity/write-loop.ts';
import { serviceEventWrites } from '../events/event-items.ts';
import type { Event } from '../events/event-schema.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import type { Write } from '../store/transactions/write.ts';
import type { StoredFeature, Tombstone } from './items/feature-items.ts';
import { buildFeatureWrites, type FeatureChange } from './items/feature-writes.ts';
import * as featureKeys from './keys.ts';

/** The decided change of a feature, and the result of the operation. */
export interface FeatureDecision<T> extends FeatureChange {
  /** Replaces the writes that follow from the difference between the old and the new state. */
  readonly writes?: (events: readonly Event[]) => readonly Write[];
  readonly value: T;
  /** Effects on other things, written in the same transaction. */
  readonly sideEffects?: Effects;
}

/** The feature as read, or the tombstone of a deleted feature with the same name. */
interface ReadFeature {
  readonly stored?: StoredFeature | undefined;
  readonly tombstone?: Tombstone | undefined;
}

/** A planned change of one feature. `changeFeature` carries it out; a change request stores and applies it later. */
export interface FeatureChangePlan<Facts, T>
  extends Pick<Change<Facts, FeatureDecision<T>>, 'likelyEvents' | 'read' | 'expected' | 'decide'> {
  /** The name of the feature. */
  readonly name: string;
}

/**
 * Carries out a change of one feature, or its creation: reads, decides, and writes the state, the events and the
 * counters in one transaction. A decision without events changes nothing.
 * @throws ApiError as `change` does.
 */
export function changeFeature<Facts extends ReadFeature, T>(
  request: FlagRequest,
  author: AuthorOf<Facts>,
  { name, decide, ...plan }: FeatureChangePlan<Facts, T>,
): Promise<Versioned<T>> {
  return changeFlag<Facts, Versioned<T>>(request, author, {
    ...plan,
    items: [featureKeys.feature(name)],
    subject: `feature "${name}"`,
    // A new feature has no version that a caller could expect.
    revisionOf: ({ stored, tombstone }) => stored?.revision ?? (tombstone && { ...tombstone, version: 0 }),
    decide: (facts, at) => {
      const { events, value, sideEffects = noEffects, ...decided } = decide(facts, at);
      const { version } = decided.stored?.revision ?? decided.tombstone ?? { version: 0 };
      if (events.length === 0) return { ...noEffects, result: { value, version } };
      const { writes = (stamped: readonly Event[]) => buildFeatureWrites(request, decided, stamped) } = decided;
      return {
        writes: sideEffects.writes,
        events: [...events, ...sideEffects.events],
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
