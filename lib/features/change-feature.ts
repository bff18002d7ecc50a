import { type Change, change, type Effects } from '../entity/change.ts';
import type { Actor } from '../events/actor.ts';
import { serviceEventWrites } from '../events/event-items.ts';
import { keys } from '../table/keys.ts';
import { LostRace } from '../table/lost-race.ts';
import type { Table } from '../table/table.ts';
import type { Versioned } from '../table/versioned.ts';
import type { StoredFeature } from './feature-items.ts';
import { type FeatureChange, featureWrites } from './feature-writes.ts';
import { isUpToDate, migrateFeature } from './migrate-feature.ts';

/** What a change of a feature does, and results in. */
interface FeatureDecision<T> extends FeatureChange {
  readonly stored: StoredFeature;
  readonly value: T;
  /** What else is written with it. */
  readonly besides?: Effects;
}

interface ChangeOfFeature<Found, T> extends Pick<Change<Found, T>, 'likelyEvents' | 'read'> {
  /** Pure; a decision without events changes nothing. */
  readonly decide: (found: Found, at: string) => FeatureDecision<T>;
}

/**
 * Reads a feature and whatever else a change of it rests on, decides, and carries the change out whole: its state, its
 * events and the counts that it moves.
 * @throws as `change` does.
 */
export function changeFeature<Found extends { readonly stored: StoredFeature | undefined }, T>(
  table: Table,
  actor: Actor,
  name: string,
  { likelyEvents, read, decide }: ChangeOfFeature<Found, T>,
): Promise<Versioned<T>> {
  return change<Found, Versioned<T>>(table, actor, {
    of: [keys.feature(name)],
    what: `feature "${name}"`,
    ...(likelyEvents !== undefined && { likelyEvents }),
    read: async () => {
      const found = await read();
      if (found.stored === undefined || isUpToDate(found.stored)) return found;
      await migrateFeature(table, name);
      throw new LostRace();
    },
    revisionOf: ({ stored }) => stored?.revision,
    decide: (found, at) => {
      const { stored, after, events, value, besides } = decide(found, at);
      const { version } = stored.revision;
      if (events.length === 0) return { writes: [], events: [], result: { value, version } };
      return {
        writes: besides?.writes ?? [],
        events: [...events, ...(besides?.events ?? [])],
        record: (stamped) => [
          ...featureWrites({ stored, after }, stamped.slice(0, events.length)),
          ...serviceEventWrites(stamped.slice(events.length)),
        ],
        result: { value, version: version + 1 },
      };
    },
  });
}
