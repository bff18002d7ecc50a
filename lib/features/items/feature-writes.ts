import { invalid } from '../../errors.ts';
import { type NewEvent, underOverride } from '../../events/event.ts';
import { eventsBytesMax } from '../../events/event-items.ts';
import type { Event } from '../../events/event-schema.ts';
import type { CallerAccess } from '../../request.ts';
import type { Key } from '../../store/client/definition.ts';
import type { Attributes } from '../../store/item.ts';
import { transactionWritesMax, type Write } from '../../store/transactions/write.ts';
import { tagReceivedOrCreatedWrite, tagReceivedWrite } from '../../tags/tags.ts';
import { type Feature, type FeatureEnvironment, toListView } from '../feature.ts';
import { featureMetadataUpdated } from '../feature-events.ts';
import * as featureKeys from '../keys.ts';
import { deliveryWrites, type VersionedState } from '../shelf/shelf-items.ts';
import { assertFewStepsOf } from '../strategies/assert-few-steps.ts';
import { revivalWrites, strategyReferenceWrites } from '../strategies/strategy-references.ts';
import * as useKeys from '../use/keys.ts';
import { assertMayChange } from './direct-change.ts';
import {
  addEnabledAt,
  type EnvironmentSummary,
  featureEnvironmentItem,
  featureItem,
  inlineBytesMax,
  type Part,
  type Past,
  parts,
  partText,
  revisionOnTopOf,
  type StoredFeature,
  summaryOf,
  type Tombstone,
  type WholeFeature,
} from './feature-items.ts';
import { type ChangedFeature, nextRevision, ownWrites } from './own-write.ts';

/** Decided change of one feature: its state before (none for a new one), its state after, and the events. */
export interface FeatureChange {
  readonly stored: StoredFeature | undefined;
  /** Remains of an earlier feature of the name, for a new one. */
  readonly remains?: Tombstone | undefined;
  /** History of a new feature, which the store holds already. */
  readonly past?: Past;
  /** Further attributes of its own item. */
  readonly attributes?: Attributes;
  /** Environment that is deleted, and of which the feature keeps nothing any more. */
  readonly left?: string | undefined;
  readonly after: Feature;
  readonly events: readonly NewEvent[];
}

/** Change of a feature, or the deletion of one that was read whole. */
type WrittenChange =
  | Omit<FeatureChange, 'events'>
  | (WholeFeature & { readonly remains?: undefined; readonly past?: undefined; readonly after: undefined });

/**
 * Returns the writes of a changed feature, from the difference to its state before. All of them depend on the version
 * that was read. A feature that changes its project must have been read with all its environments. Of one that is deleted,
 * all goes but its events, and remains with the counters that the next feature of its name continues.
 * @param request request whose caller makes the change, directly or with approval.
 * @param events events of the change, with their ids.
 * @throws ApiError 400 when a part does not fit the store, or its regular expressions take too much work; 403 for a change that needs approval.
 */
export function featureWrites(request: CallerAccess, change: WrittenChange, events: readonly Event[]): Write[] {
  const { stored, remains, past, after } = change;
  const before = stored?.feature;
  const { name } = change.after ?? change.stored.feature;
  const content: ContentWrites =
    change.after === undefined ? removedWrites(change.stored, change.items) : changedWrites(change, events);
  assertMayChange(request, stored, after && content.after && { feature: after, revision: content.after.revision });
  const inStep = ownWrites({
    ...{ name, remains, past, tags: before?.tags ?? [] },
    before: stored && { project: stored.feature.project, revision: stored.revision, own: stored.own },
    events: underOverride(request, events),
    after: content.after,
  });
  const writes = [
    inStep.own,
    ...content.writes,
    ...inStep.enabledCounts,
    ...inStep.shelf,
    ...content.delivered,
    ...archiveWrites(before, after),
    ...parentWrites(name, before, after),
    ...(after !== undefined && isRevived(before, after) ? revivalWrites(after) : []),
    ...inStep.events,
  ];
  return [...writes, ...tagsReceived(before, after, writes.length)];
}

function isRevived(before: Feature | undefined, after: Feature): boolean {
  return before !== undefined && before.archivedAt !== null && after.archivedAt === null;
}

/** Writes besides those that every change takes, and the own item, which is missing for a feature that is deleted. */
interface ContentWrites {
  readonly after?: ChangedFeature;
  readonly writes: readonly Write[];
  readonly delivered: readonly Write[];
}

function changedWrites(
  { stored, remains, past, attributes, left, after }: Omit<FeatureChange, 'events'>,
  events: readonly Event[],
): ContentWrites {
  const before = stored?.feature;
  const old = stored?.revision ?? revisionOnTopOf(remains, events[0]?.id, past);
  // Events alone, such as that it became a favorite, do not change lists.
  const next = { ...nextRevision(old, events), ...(before === after && { mark: old.mark }) };
  const { version } = next;
  const at = events[0]?.createdAt;
  const environments = changedEnvironments(before, after)
    .map((changed) => environmentWrites(stored, after, changed, version))
    .map((each) => ({ ...each, summary: addEnabledAt(each.summary, old.summaries.get(each.name), at) }));
  const bulky = changedParts(stored, after, version);
  assertArchivable(before, after);
  assertFewStepsOf(before, after);
  const summaries = [...old.summaries, ...environments.map(({ name, summary }) => [name, summary] as const)];
  const revision = {
    ...next,
    summaries: new Map(summaries.filter(([name]) => name !== left)),
    partVersions: bulky.versions,
  };
  return {
    after: {
      project: after.project,
      revision,
      own: { ...featureItem(stored?.own, after, revision), ...bulky.inline, ...attributes },
    },
    writes: [...bulky.writes, ...environments.flatMap(({ writes }) => writes)],
    delivered: deliveryWrites(
      after,
      environments.flatMap(({ delivered }) => delivered),
    ),
  };
}

/** Limit of environments in which the last use of a deleted feature is forgotten with it: others go with their environment. */
const seenForgottenMax = 10;

function removedWrites(
  { feature: { name: feature, project, environments }, revision }: StoredFeature,
  items: readonly Key[],
) {
  const references = [...environments].flatMap(([environment, { strategies }]) =>
    strategyReferenceWrites({ feature, environment }, { project, strategies }, { project, strategies: [] }),
  );
  const seen = [...revision.summaries.keys()]
    .slice(0, seenForgottenMax)
    .map((environment) => useKeys.featureSeen(project, feature, environment));
  return { writes: [...[...items, ...seen].map((key) => ({ remove: key })), ...references], delivered: [] };
}

/**
 * Limit of tags that are guarded, by the room in a transaction; a tag beyond could be removed at the very moment that
 * it is received.
 */
const tagsGuardedMax = 50;

/** Writes that a request may add to a change. */
export const writesBesides = 10;

/**
 * A feature that moves brings its tags, so that those who see the project that it comes to know them: as many as there is
 * room for, since its environments write much. One that is revived receives those that it has anew; until then they may be gone.
 * @param others number of the other writes of the change; a move writes up to as many again for its last use.
 */
function tagsReceived(before: Feature | undefined, after: Feature | undefined, others: number): Write[] {
  if (after === undefined) return [];
  const { tags, project } = after;
  const isMoved = before !== undefined && before.project !== project;
  if (isMoved && after.archivedAt !== null) return [];
  const isWhole = isMoved || isRevived(before, after);
  if (before?.tags === tags && !isWhole) return [];
  const roomOfWhole = Math.max(0, Math.min(tagsGuardedMax, transactionWritesMax - 2 * others - writesBesides));
  const had = new Set(isWhole ? [] : before?.tags.map(({ type, value }) => `${type}#${value}`));
  return tags
    .filter(({ type, value }) => !had.has(`${type}#${value}`))
    .slice(0, isWhole ? roomOfWhole : tagsGuardedMax)
    .map((tag) => (isMoved ? tagReceivedOrCreatedWrite : tagReceivedWrite)(tag, project));
}

interface ChangedEnvironment {
  readonly name: string;
  readonly before: FeatureEnvironment | undefined;
  readonly after: FeatureEnvironment;
}

function changedEnvironments(before: Feature | undefined, after: Feature): ChangedEnvironment[] {
  return [...after.environments]
    .map(([name, state]) => ({ name, before: before?.environments.get(name), after: state }))
    .filter((each) => each.before !== each.after || before?.project !== after.project);
}

interface EnvironmentWrites {
  readonly name: string;
  readonly summary: EnvironmentSummary;
  readonly writes: Write[];
  /** Changed states that SDKs are to get. */
  readonly delivered: readonly VersionedState[];
}

/**
 * Returns the writes of a changed environment; a switch alone does not write the environment's items, however large
 * they are. One in which nothing is left has none: what a feature has had anywhere would be in the way of its deletion.
 */
function environmentWrites(
  stored: StoredFeature | undefined,
  { name: feature, project, archivedAt }: Pick<Feature, 'name' | 'project' | 'archivedAt'>,
  { name, before, after }: ChangedEnvironment,
  next: number,
): EnvironmentWrites {
  const old = stored?.revision.summaries.get(name)?.version ?? 0;
  const from = stored?.feature.project ?? project;
  const isSame = after.strategies === before?.strategies && after.variants === before?.variants;
  const isNothing = after.strategies.length + after.variants.length === 0;
  const changed = isNothing ? 0 : next;
  const version = isSame ? old : changed;
  const summary = summaryOf(after, version);
  if (old + version === 0 || (isSame && from === project)) return { name, summary, writes: [], delivered: [] };
  const key = featureKeys.featureEnvironment(feature, name);
  const item = featureEnvironmentItem(stored?.environmentItems.get(name), after, version);
  const what = `configuration of feature "${feature}" in environment "${name}"`;
  return {
    name,
    summary,
    writes: [
      ...(isSame ? [] : [version === 0 ? { remove: key } : { put: key, item, what }]),
      ...(old === 0 || (from === project && version > 0)
        ? []
        : [{ remove: featureKeys.delivery(from, name, feature) }]),
      ...strategyReferenceWrites(
        { feature, environment: name },
        { project: from, strategies: before?.strategies ?? [] },
        { project, strategies: after.strategies },
        archivedAt !== null,
      ),
    ],
    delivered: version === 0 ? [] : [{ environment: name, state: after, version }],
  };
}

/** Returns the changed parts: on the feature's own item while they are small, otherwise in items of their own. */
function changedParts(stored: StoredFeature | undefined, after: Feature, version: number) {
  const versions = new Map(stored?.revision.partVersions);
  const inline: Partial<Record<Part, string | null | undefined>> = {};
  const writes: Write[] = [];
  for (const part of parts) {
    if (stored?.feature[part] === after[part]) continue;
    const key = featureKeys.featurePart(after.name, part);
    const text = partText(after, part);
    if (text !== null && Buffer.byteLength(text) > inlineBytesMax) {
      writes.push({ put: key, item: { value: text, version }, what: `${part} of feature "${after.name}"` });
      versions.set(part, version);
      inline[part] = undefined;
    } else {
      if (versions.delete(part)) writes.push({ remove: key });
      inline[part] = text;
    }
  }
  return { inline, versions: versions as ReadonlyMap<Part, number>, writes };
}

/**
 * Refuses a change that would leave no room for the events of archiving, the way out for a feature, while it can be
 * undone.
 * @throws ApiError 400 for a description and tags that are too large together.
 */
function assertArchivable(before: Feature | undefined, after: Feature): void {
  if (before?.description === after.description && before?.tags === after.tags) return;
  const tagsBytes = Buffer.byteLength(JSON.stringify(after.tags));
  if (Buffer.byteLength(after.description ?? '') + tagsBytes < eventsBytesMax / 16) return;
  const archived = { ...after, archivedAt: after.archivedAt === null ? after.createdAt : null };
  const bytes = Buffer.byteLength(JSON.stringify(featureMetadataUpdated(after, archived))) + tagsBytes;
  if (bytes > eventsBytesMax - eventOverhead) {
    throw invalid(
      `The feature "${after.name}" could not be archived with this description and these tags: the events would take ${bytes} bytes of ${eventsBytesMax - eventOverhead}.`,
      'description',
    );
  }
}

/** Bytes of an event for its id, its author and its time. */
const eventOverhead = 2_048;

/**
 * Returns the writes of the project's archive: an entry for each archived feature with everything that the archive
 * shows, so that one read is enough.
 */
function archiveWrites(before: Feature | undefined, after: Feature | undefined): Write[] {
  const [old, key] = [archiveKey(before), archiveKey(after)];
  const isLeft = old !== undefined && (key === undefined || old.pk !== key.pk || old.sk !== key.sk);
  const writes: Write[] = isLeft ? [{ remove: old }] : [];
  if (after !== undefined && key !== undefined) {
    const item = { feature: JSON.stringify(toListView(after)) };
    writes.push({ put: key, item, what: `archive entry of feature "${after.name}"` });
  }
  return writes;
}

function archiveKey(feature: Feature | undefined): Key | undefined {
  if (feature === undefined || feature.archivedAt === null) return undefined;
  return featureKeys.archivedFeature(feature.project, feature.archivedAt, feature.name);
}

/**
 * Returns the writes of changed parents, which hold an item for each child and their number. A parent must still be as
 * the decision found it: live, in the project, without a parent of its own.
 */
function parentWrites(name: string, before: Feature | undefined, after: Feature | undefined): Write[] {
  const parentsOf = (feature: Feature | undefined) => (feature?.dependencies ?? []).map((each) => each.feature);
  const [old, next] = [new Set(parentsOf(before)), new Set(parentsOf(after))];
  return [
    ...[...next.difference(old)].flatMap((parent): Write[] => [
      { put: featureKeys.featureChild(parent, name), item: {} },
      {
        add: featureKeys.feature(parent),
        amounts: { childCount: 1, version: 1 },
        when: { same: { project: after?.project, archivedAt: null, dependencies: '[]' } },
      },
    ]),
    ...[...old.difference(next)].flatMap((parent): Write[] => [
      { remove: featureKeys.featureChild(parent, name) },
      { add: featureKeys.feature(parent), amounts: { childCount: -1, version: 1 }, when: 'present' },
    ]),
  ];
}
