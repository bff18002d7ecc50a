import { environmentCountWrites } from '../../environments/environment-counts.ts';
import { groupUnderOverride } from '../../events/event.ts';
import { linkEvents } from '../../events/event-chain.ts';
import { featureEventWrites } from '../../events/event-items.ts';
import type { Event } from '../../events/event-schema.ts';
import type { CallerAccess } from '../../request.ts';
import { type Key, keyText } from '../../store/client/definition.ts';
import type { Attributes } from '../../store/item.ts';
import type { Write } from '../../store/transactions/write.ts';
import type { Feature } from '../feature.ts';
import * as featureKeys from '../keys.ts';
import { buildReadModelWrites, createChecksum, type ReadModelInput } from '../read-model/read-model-items.ts';
import { omitDefaults } from './compact-item.ts';
import { assertMaySwitch, type EnvironmentSwitch } from './direct-change.ts';
import { addEnabledAt, isGuarded, moveClocks, summaryOf } from './environment-summary.ts';
import {
  buildInitialRevision,
  type FeatureHead,
  type Past,
  type Revision,
  revisionAttributesOf,
  type Tombstone,
} from './feature-items.ts';
import type { TombstoneItem } from './stored-items.ts';

/** Returns the counters of a feature after a change with these events. */
export function nextRevision(revision: Revision, events: readonly Event[]): Revision {
  return {
    ...revision,
    version: revision.version + 1,
    lastEventId: events.at(-1)?.id ?? revision.lastEventId,
    eventCount: revision.eventCount + events.length,
    mark: createChecksum(revision.mark),
  };
}

/** Builds the write of a feature's own item; its condition on the version protects all other writes of a change. */
function buildOwnWrite(name: string, before: Pick<Revision, 'version'> | undefined, item: Attributes): Write {
  const when = before === undefined ? 'absent' : { version: before.version };
  return { put: featureKeys.feature(name), item: omitDefaults(item), when, subject: `feature "${name}"` };
}

/**
 * Builds the write that stores which scheduled change requests change a feature.
 * @param schedules JSON of their ids; undefined for none.
 */
export function buildSchedulesWrite({ name, own, revision }: FeatureHead, schedules: string | undefined): Write {
  return buildOwnWrite(name, revision, { ...own, schedules, version: revision.version + 1 });
}

/** A feature as described by its own item, before or after a change. */
interface OwnFeature extends ReadModelInput {
  readonly revision: Revision;
}

/** A feature after a change, with its own item. */
export type ChangedFeature = OwnFeature & { readonly own: Attributes };

interface OwnChange {
  readonly name: string;
  /** Missing for a new feature. */
  readonly before: OwnFeature | undefined;
  /** The tombstone of a deleted feature of the name, for a new feature. */
  readonly tombstone?: Tombstone | undefined;
  /** The counters of its history, for a migrated feature. */
  readonly past?: Past | undefined;
  /** Missing for a feature that is deleted. */
  readonly after: ChangedFeature | undefined;
  /** The tags before the change; each event is stored with the tags at its time. */
  readonly tags: Feature['tags'];
  readonly events: readonly Event[];
}

/**
 * Builds the writes that every change of a feature needs: its own item, the read model and the ledger of its project, the
 * counts of environments, and its events. A change that keeps the checksum of the feature does not write the read model.
 */
export function buildOwnWrites({ name, before, tombstone, past, after, tags, events }: OwnChange) {
  const base = before?.revision ?? buildInitialRevision(tombstone, events[0]?.id, past);
  const linked = linkEvents(featureEventWrites(name, events, base, tags), base.link);
  // Without a state after the change, there is one before it.
  const own = after?.own ?? buildTombstone(before as OwnFeature, nextRevision(base, events));
  return {
    own: buildOwnWrite(name, before?.revision ?? tombstone, { ...own, link: linked.last }),
    readModel: before?.revision.mark === after?.revision.mark ? [] : buildReadModelWrites(name, before, after, events),
    enabledCounts: buildEnabledCountWrites(before?.revision.summaries, after?.revision.summaries),
    clock: buildClockWrites(name, before, after, events[0]?.createdAt ?? new Date().toISOString()),
    events: linked.writes,
  };
}

function buildTombstone({ project }: OwnFeature, { version, lastEventId }: Revision): Attributes {
  return { ...({ deleted: true, project, version, lastEventId } satisfies TombstoneItem) };
}

type Summaries = Revision['summaries'];

function buildEnabledCountWrites(before: Summaries = new Map(), after: Summaries = new Map()): Write[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((name) => {
    const [wasEnabled, isEnabled] = [before.get(name)?.enabled ?? false, after.get(name)?.enabled ?? false];
    return environmentCountWrites('enabledToggleCount', name, Number(isEnabled) - Number(wasEnabled));
  });
}

/** Builds the writes of the lists by which the clock finds the plans whose next milestone is due, and the safeguards to watch. */
function buildClockWrites(
  name: string,
  before: OwnFeature | undefined,
  after: OwnFeature | undefined,
  since: string,
): Write[] {
  const [old, next] = [listClockKeys(name, before), listClockKeys(name, after)];
  return [
    ...[...old].filter(([id]) => !next.has(id)).map(([, key]) => ({ remove: key })),
    // Evidence counts from the time at which a safeguard began to be watched.
    ...[...next].filter(([id]) => !old.has(id)).map(([, key]) => ({ put: key, item: { since } })),
  ];
}

function listClockKeys(name: string, side: OwnFeature | undefined): Map<string, Key> {
  const isLive = side !== undefined && side.own.archivedAt === null;
  const keys = [...(isLive ? side.revision.summaries : [])].flatMap(([environment, summary]) => [
    ...(summary.plan?.nextAt === undefined ? [] : [featureKeys.planStep(summary.plan.nextAt, environment, name)]),
    ...(isGuarded(summary) ? [featureKeys.guarded(environment, name)] : []),
  ]);
  return new Map(keys.map((key) => [keyText(key), key]));
}

/** A change of a feature's own item alone. */
interface HeadChange {
  readonly attributes?: Attributes;
  readonly switched?: EnvironmentSwitch;
}

/**
 * Builds the writes for a feature of which only the own item changes.
 * @param request the request that makes the change, directly or with approval.
 * @param tags the tags of the feature; not needed without events.
 * @param events the events, with their ids.
 * @throws ApiError 403 for a change that needs approval.
 */
export function buildHeadWrites(
  request: CallerAccess,
  head: FeatureHead,
  { attributes, switched }: HeadChange,
  tags: Feature['tags'],
  events: readonly Event[],
): Write[] {
  const { name, project } = head;
  const { summaries: before } = head.revision;
  if (switched) assertMaySwitch(request, head, switched);
  const at = events[0]?.createdAt;
  const isLive = head.archivedAt === null;
  const switchedSummaries = switched ? setEnabled(before, switched, at) : before;
  const summaries = at === undefined ? switchedSummaries : moveClocks(switchedSummaries, isLive, at);
  const revision = { ...nextRevision(head.revision, events), summaries };
  const own = { ...head.own, ...attributes, ...revisionAttributesOf(revision) };
  const writes = buildOwnWrites({
    ...{ name, before: head, after: { project, revision, own }, tags },
    events: groupUnderOverride(request, events),
  });
  return [writes.own, ...writes.readModel, ...writes.enabledCounts, ...writes.clock, ...writes.events];
}

function setEnabled(
  summaries: Summaries,
  { environment, enabled }: EnvironmentSwitch,
  at: string | undefined,
): Summaries {
  const before = summaries.get(environment);
  const summary = before ?? summaryOf({ enabled, strategies: [], variants: [] }, 0);
  return new Map([...summaries, [environment, addEnabledAt({ ...summary, enabled }, before, at)]]);
}
