import { CountChanges } from '../environments/environment-counts.ts';
import type { Actor } from '../events/actor.ts';
import { type NewEvent, stamp } from '../events/event.ts';
import { type EventIds, sufficientEventIds } from '../events/event-ids.ts';
import { featureEventWrites } from '../events/event-items.ts';
import { keys } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { transact } from '../table/transact.ts';
import type { Versioned } from '../table/versioned.ts';
import type { Write } from '../table/write.ts';
import { type Feature, listedView } from './feature.ts';
import { featureEnvironmentItem, featureItem, type Revision, type StoredFeature } from './feature-items.ts';

/** A decided change of one feature: what was read (nothing, for a new one), what it becomes, and what to tell of it. */
export interface FeatureChange {
  readonly stored: StoredFeature | undefined;
  readonly after: Feature;
  readonly events: readonly NewEvent[];
}

const noRevision: Revision = { version: 0, lastEventId: 0, eventCount: 0, environmentVersions: new Map() };

/**
 * Carries out the change of one feature, whole: its state, its events and the counts that it moves.
 * @param value what the request results in then.
 * @returns it, with the version that the feature has now.
 */
export async function commitFeature<T>(
  table: Table,
  actor: Actor,
  change: FeatureChange,
  takenIds: EventIds,
  value: T,
  otherWrites: readonly Write[] = [],
): Promise<Versioned<T>> {
  const { lastEventId, version } = change.stored?.revision ?? noRevision;
  const ids = await sufficientEventIds(table, takenIds, change.events.length, lastEventId);
  const counts = new CountChanges();
  const writes = featureWrites(change, { firstId: ids.first, actor, at: new Date().toISOString() }, counts);
  const result = { value, version: version + 1 };
  await transact(table, [...writes, ...counts.writes(), ...otherWrites], result);
  return result;
}

/** Under which number, by whom and when the events of a change are recorded. */
export interface Signature {
  readonly firstId: number;
  readonly actor: Actor;
  readonly at: string;
}

/**
 * The writes that make a feature what it becomes, from the difference to what was read; what they move in the counts of
 * environments is added to `counts`. All of them hang on the version that was read.
 * @throws ApiError 400 when a part does not fit the store.
 */
export function featureWrites(change: FeatureChange, signature: Signature, counts: CountChanges): Write[] {
  const { stored, after } = change;
  const { revision } = stored ?? { revision: noRevision };
  const version = revision.version + 1;
  const events = stamp(change.events, signature.firstId, signature.actor, signature.at);
  const environmentVersions = new Map(revision.environmentVersions);

  const environments = changedEnvironments(stored?.feature, after).map(([environment, state]): Write => {
    environmentVersions.set(environment, version);
    return {
      put: keys.featureEnvironment(after.name, environment),
      item: { ...featureEnvironmentItem(state, version) },
      what: `configuration of feature "${after.name}" in environment "${environment}"`,
    };
  });
  addCounts(stored?.feature, after, counts);

  const lastEventId = events.at(-1)?.id ?? revision.lastEventId;
  const eventCount = revision.eventCount + events.length;
  const writes: Write[] = [
    {
      put: keys.feature(after.name),
      item: { ...featureItem(after, { version, lastEventId, eventCount, environmentVersions }) },
      when: stored === undefined ? 'absent' : { version: revision.version },
      what: `feature "${after.name}"`,
    },
    ...environments,
    ...archiveWrites(stored?.feature, after),
    ...parentWrites(stored?.feature, after),
    ...featureEventWrites(after.name, events, revision.eventCount),
  ];
  return writes;
}

function changedEnvironments(before: Feature | undefined, after: Feature) {
  return [...after.environments].filter(([environment, state]) => state !== before?.environments.get(environment));
}

function addCounts(before: Feature | undefined, after: Feature, counts: CountChanges): void {
  for (const [environment, { enabled }] of changedEnvironments(before, after)) {
    const wasEnabled = before?.environments.get(environment)?.enabled ?? false;
    counts.add('enabledToggleCount', environment, Number(enabled) - Number(wasEnabled));
  }
}

/** An archived feature is listed in its project's archive with what the list answers, so that one read gives it. */
function archiveWrites(before: Feature | undefined, after: Feature): Write[] {
  const writes: Write[] = [];
  if (before !== undefined && before.archivedAt !== null && before.archivedAt !== after.archivedAt) {
    writes.push({ remove: keys.archivedFeature(before.project, before.archivedAt, before.name) });
  }
  if (after.archivedAt !== null) {
    const item = { feature: JSON.stringify(listedView(after)) };
    const what = `archive entry of feature "${after.name}"`;
    writes.push({ put: keys.archivedFeature(after.project, after.archivedAt, after.name), item, what });
  }
  return writes;
}

/** A parent knows its children by an item each, so that many children never meet in one item. */
function parentWrites(before: Feature | undefined, after: Feature): Write[] {
  const known = new Set(before?.dependencies.map(({ feature }) => feature));
  return after.dependencies
    .filter(({ feature }) => !known.has(feature))
    .map(({ feature }) => ({ put: keys.featureChild(feature, after.name), item: {} }));
}
