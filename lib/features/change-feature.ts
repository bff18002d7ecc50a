import { type AuthorOf, type Change, change, type Effects, noEffects } from '../entity/change.ts';
import { serviceEventWrites } from '../events/event-items.ts';
import type { Event } from '../events/event-schema.ts';
import type { Request } from '../request.ts';
import { loadScheduledOn, suspensions } from '../requested/suspend.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import type { Write } from '../store/transactions/write.ts';
import type { Remains, StoredFeature } from './items/feature-items.ts';
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
  readonly remains?: Remains | undefined;
}

/** A change of one feature: `changeFeature` carries it out, and a change request plans it. */
export interface ChangeOfFeature<Found, T> extends Pick<Change<Found, T>, 'likelyEvents' | 'read' | 'expected'> {
  /** The name of the feature. */
  readonly name: string;
  /** Pure; a decision without events changes nothing. */
  readonly decide: (found: Found, at: string) => FeatureDecision<T>;
}

/** Facts that a change has read, with the requests under a schedule that it may suspend. */
interface Affected<Found> {
  readonly found: Found;
  readonly scheduled: Awaited<ReturnType<typeof loadScheduledOn>>;
}

/**
 * Reads a feature and whatever else its change or creation depends on, decides, and writes the result as a whole: its
 * state, its events and the counters that they change.
 * @throws as `change` does.
 */
export function changeFeature<Found extends FoundFeature, T>(
  request: Request,
  author: AuthorOf<Found>,
  { name, likelyEvents, read, expected, decide }: ChangeOfFeature<Found, T>,
): Promise<Versioned<T>> {
  const by = typeof author === 'function' ? ({ found }: Affected<Found>) => author(found) : author;
  return change<Affected<Found>, Versioned<T>>(request, by, {
    of: [featureKeys.feature(name)],
    what: `feature "${name}"`,
    ...(likelyEvents !== undefined && { likelyEvents }),
    ...(expected !== undefined && {
      expected: { what: expected.what, revisionOf: ({ found }) => expected.revisionOf(found) },
    }),
    read: async () => {
      const found = await read();
      return { found, scheduled: await loadScheduledOn(request, [found.stored?.own]) };
    },
    // A new feature has no version that a caller could expect.
    revisionOf: ({ found: { stored, remains } }) => stored?.revision ?? (remains && { ...remains, version: 0 }),
    decide: ({ found, scheduled }, at) => {
      const { events, value, besides, ...decided } = decide(found, at);
      const suspended = suspensions(scheduled, events, [decided.after]);
      const { writes = (stamped: readonly Event[]) => featureWrites(request, decided, stamped) } = decided;
      const { version } = decided.stored?.revision ?? decided.remains ?? { version: 0 };
      if (events.length === 0) return { ...noEffects, result: { value, version } };
      return {
        writes: [...(besides?.writes ?? []), ...suspended.writes],
        events: [...events, ...(besides?.events ?? []), ...suspended.events],
        record: (stamped) => [
          ...writes(stamped.slice(0, events.length)),
          ...serviceEventWrites(stamped.slice(events.length)),
        ],
        result: { value, version: version + 1 },
      };
    },
  });
}
