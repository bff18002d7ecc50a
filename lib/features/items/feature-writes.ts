import { invalid } from '../../errors.ts';
import { groupUnderOverride, type NewEvent } from '../../events/event.ts';
import { eventsBytesMax } from '../../events/event-items.ts';
import type { Event } from '../../events/event-schema.ts';
import type { CallerAccess } from '../../request.ts';
import type { Key } from '../../store/client/definition.ts';
import type { Attributes } from '../../store/item.ts';
import { transactionWritesMax, type Write } from '../../store/transactions/write.ts';
import { tagReceivedOrCreatedWrite, tagReceivedWrite } from '../../tags/tags.ts';
import type { FeatureEnvironment } from '../environments/feature-environment.ts';
import type { Feature } from '../feature.ts';
import { featureMetadataUpdated } from '../feature-events.ts';
import { toListView } from '../feature-views.ts';
import * as featureKeys from '../keys.ts';
import { isSignal } from '../plans/safeguard-schema.ts';
import { buildDeliveryWrites, type VersionedState } from '../read-model/read-model-items.ts';
import { assertFewStepsOf } from '../strategies/assert-few-steps.ts';
import { buildRevivalWrites, buildStrategyReferenceWrites } from '../strategies/strategy-references.ts';
import * as useKeys from '../use/keys.ts';
import { assertMayChange } from './direct-change.ts';
import { addEnabledAt, addPlan, type EnvironmentSummary, moveClocks, summaryOf } from './environment-summary.ts';
import {
  buildEnvironmentItem,
  buildFeatureItem,
  buildInitialRevision,
  inlineBytesMax,
  type Part,
  type Past,
  parts,
  partTextOf,
  type StoredFeature,
  type Tombstone,
  type WholeFeature,
} from './feature-items.ts';
import { buildOwnWrites, type ChangedFeature, nextRevision } from './own-write.ts';

/** The decided change of one feature: its state before (none for a new feature), its state after, and the events. */
export interface FeatureChange {
  readonly stored: StoredFeature | undefined;
  /** The tombstone of a deleted feature of the name, for a new feature. */
  readonly tombstone?: Tombstone | undefined;
  /** The counters of its history, for a migrated feature. */
  readonly past?: Past;
  /** Further attributes of the feature's own item. */
  readonly attributes?: Attributes;
  /** A removed environment, whose summary the feature drops. */
  readonly removedEnvironment?: string | undefined;
  readonly after: Feature;
  readonly events: readonly NewEvent[];
}

/** The change of a feature, or the deletion of one that was read with all its items. */
type WrittenChange =
  | Omit<FeatureChange, 'events'>
  | (WholeFeature & { readonly tombstone?: undefined; readonly past?: undefined; readonly after: undefined });

/**
 * Builds the writes of a changed feature from the difference between its states before and after. They fail together if
 * the version that was read has changed. A feature that changes its project must have been read with all its
 * environments. A deleted feature leaves its events and a tombstone.
 * @param request the request that makes the change, directly or with approval.
 * @param events the events of the change, with their ids.
 * @throws ApiError 400 if the events of archiving would not fit the store, or if regular expressions take too many
 * steps; 403 for a change that needs approval.
 */
export function buildFeatureWrites(request: CallerAccess, change: WrittenChange, events: readonly Event[]): Write[] {
  const { stored, tombstone, past, after } = change;
  const before = stored?.feature;
  const { name } = change.after ?? change.stored.feature;
  const content: ContentWrites =
    change.after === undefined ? buildRemovalWrites(change.stored, change.items) : buildChangeWrites(change, events);
  assertMayChange(request, stored, after && content.after && { feature: after, revision: content.after.revision });
  const own = buildOwnWrites({
    ...{ name, tombstone, past, tags: before?.tags ?? [] },
    before: stored && { project: stored.feature.project, revision: stored.revision, own: stored.own },
    events: groupUnderOverride(request, events),
    after: content.after,
  });
  const writes = [
    own.own,
    ...content.writes,
    ...own.enabledCounts,
    ...own.clock,
    ...own.readModel,
    ...content.delivered,
    ...buildArchiveWrites(before, after),
    ...buildParentWrites(name, before, after),
    ...(after !== undefined && isRevived(before, after) ? buildRevivalWrites(after) : []),
    ...own.events,
  ];
  return [...writes, ...buildTagWrites(before, after, writes.length)];
}

function isRevived(before: Feature | undefined, after: Feature): boolean {
  return before !== undefined && before.archivedAt !== null && after.archivedAt === null;
}

/** The writes of environments and parts. */
interface ContentWrites {
  /** The feature after the change; missing if it is deleted. */
  readonly after?: ChangedFeature;
  readonly writes: readonly Write[];
  readonly delivered: readonly Write[];
}

function buildChangeWrites(
  { stored, tombstone, past, attributes, removedEnvironment, after }: Omit<FeatureChange, 'events'>,
  events: readonly Event[],
): ContentWrites {
  const before = stored?.feature;
  const old = stored?.revision ?? buildInitialRevision(tombstone, events[0]?.id, past);
  // An event alone, such as that the feature became a favorite, changes no list.
  const next = { ...nextRevision(old, events), ...(before === after && { mark: old.mark }) };
  const { version } = next;
  const at = events[0]?.createdAt;
  const now = at ?? new Date().toISOString();
  const environments = listChangedEnvironments(before, after).map((changed) => {
    const written = buildEnvironmentWrites(stored, after, changed, version);
    const oldSummary = old.summaries.get(changed.name);
    const summary = addPlan(written.summary, changed, oldSummary, now);
    return { ...written, summary: addEnabledAt(summary, oldSummary, at) };
  });
  const partChanges = buildPartWrites(stored, after, version);
  assertArchivable(before, after);
  assertFewStepsOf(before, after);
  const summaries = [...old.summaries, ...environments.map(({ name, summary }) => [name, summary] as const)];
  const kept = new Map(summaries.filter(([name]) => name !== removedEnvironment));
  const revision = {
    ...next,
    summaries: moveClocks(kept, after.archivedAt === null, now),
    partVersions: partChanges.versions,
  };
  return {
    after: {
      project: after.project,
      revision,
      own: { ...buildFeatureItem(stored?.own, after, revision), ...partChanges.inline, ...attributes },
    },
    writes: [...partChanges.writes, ...environments.flatMap(({ writes }) => writes)],
    delivered: buildDeliveryWrites(
      after,
      environments.flatMap(({ delivered }) => delivered),
    ),
  };
}

/** The most environments in which a deleted feature's last use is removed with it; others are removed with their environment. */
const seenRemovalsMax = 10;

function buildRemovalWrites(
  { feature: { name: feature, project, environments }, revision }: StoredFeature,
  items: readonly Key[],
) {
  const references = [...environments].flatMap(([environment, state]) =>
    buildStrategyReferenceWrites({ feature, environment }, { project, state }, { project }),
  );
  const seen = [...revision.summaries.keys()]
    .slice(0, seenRemovalsMax)
    .map((environment) => useKeys.featureSeen(project, feature, environment));
  return { writes: [...[...items, ...seen].map((key) => ({ remove: key })), ...references], delivered: [] };
}

/**
 * The most tags with a condition that they still exist, to leave room in the transaction. A further tag could be
 * removed while the feature receives it.
 */
const checkedTagsMax = 50;

/** Number of writes of a transaction that a change leaves to the request. */
export const reservedWrites = 10;

/**
 * Builds the writes for tags that the feature receives. A moved feature makes its tags visible in the new project, as
 * many as fit into the transaction. A revived feature receives all its tags again, since tags of archived features can
 * be removed.
 * @param otherWrites number of the other writes of the change; a move writes up to as many again for the last use.
 */
function buildTagWrites(before: Feature | undefined, after: Feature | undefined, otherWrites: number): Write[] {
  if (after === undefined) return [];
  const { tags, project } = after;
  const isMoved = before !== undefined && before.project !== project;
  if (isMoved && after.archivedAt !== null) return [];
  const receivesAll = isMoved || isRevived(before, after);
  if (before?.tags === tags && !receivesAll) return [];
  const freeWrites = Math.max(0, Math.min(checkedTagsMax, transactionWritesMax - 2 * otherWrites - reservedWrites));
  const kept = new Set(receivesAll ? [] : before?.tags.map(({ type, value }) => `${type}#${value}`));
  return tags
    .filter(({ type, value }) => !kept.has(`${type}#${value}`))
    .slice(0, receivesAll ? freeWrites : checkedTagsMax)
    .map((tag) => (isMoved ? tagReceivedOrCreatedWrite : tagReceivedWrite)(tag, project));
}

interface ChangedEnvironment {
  readonly name: string;
  readonly before: FeatureEnvironment | undefined;
  readonly after: FeatureEnvironment;
}

function listChangedEnvironments(before: Feature | undefined, after: Feature): ChangedEnvironment[] {
  return [...after.environments]
    .map(([name, state]) => ({ name, before: before?.environments.get(name), after: state }))
    .filter((environment) => environment.before !== environment.after || before?.project !== after.project);
}

interface EnvironmentWrites {
  readonly name: string;
  readonly summary: EnvironmentSummary;
  readonly writes: Write[];
  /** The changed states for SDKs. */
  readonly delivered: readonly VersionedState[];
}

/**
 * Builds the writes of a changed environment. A switch alone does not write the environment's items, which can be large.
 * An empty configuration has no items: otherwise a feature could collect more items than its deletion can remove.
 */
function buildEnvironmentWrites(
  stored: StoredFeature | undefined,
  { name: feature, project, archivedAt }: Pick<Feature, 'name' | 'project' | 'archivedAt'>,
  { name, before, after }: ChangedEnvironment,
  nextVersion: number,
): EnvironmentWrites {
  const oldVersion = stored?.revision.summaries.get(name)?.version ?? 0;
  const from = stored?.feature.project ?? project;
  const isSame =
    before !== undefined &&
    (['strategies', 'variants', 'plan', 'safeguards'] as const).every((part) => after[part] === before[part]);
  const isEmpty = after.strategies.length + after.variants.length === 0 && !after.plan && !after.safeguards;
  const changedVersion = isEmpty ? 0 : nextVersion;
  const version = isSame ? oldVersion : changedVersion;
  const summary = summaryOf(after, version);
  if (oldVersion + version === 0 || (isSame && from === project)) return { name, summary, writes: [], delivered: [] };
  const key = featureKeys.featureEnvironment(feature, name);
  const item = buildEnvironmentItem(stored?.environmentItems.get(name), after, version);
  const subject = `configuration of feature "${feature}" in environment "${name}"`;
  return {
    name,
    summary,
    writes: [
      ...(isSame ? [] : [version === 0 ? { remove: key } : { put: key, item, subject }]),
      ...(oldVersion === 0 || (from === project && version > 0)
        ? []
        : [{ remove: featureKeys.delivery(from, name, feature) }]),
      ...buildStrategyReferenceWrites(
        { feature, environment: name },
        { project: from, state: before },
        { project, state: after },
        archivedAt !== null,
      ),
      ...buildSignalWrites(feature, name, before, after),
    ],
    delivered: version === 0 ? [] : [{ environment: name, state: after, version }],
  };
}

/** Removes the tokens for signals to safeguards that are gone, or watch something else now: a later one with the same id needs a new token. */
function buildSignalWrites(
  feature: string,
  environment: string,
  before: FeatureEnvironment | undefined,
  after: FeatureEnvironment,
): Write[] {
  const gone = listSignalled(before).difference(listSignalled(after));
  return [...gone].map((id) => ({ remove: featureKeys.signal(feature, environment, id) }));
}

function listSignalled(state: FeatureEnvironment | undefined): Set<string> {
  const all = [...(state?.safeguards ?? []), ...(state?.plan?.safeguards ?? [])];
  return new Set(all.filter(({ impactMetric }) => isSignal(impactMetric.metricName)).map(({ id }) => id));
}

/** Builds the changed parts: small ones for the feature's own item, and the writes of items for large ones. */
function buildPartWrites(stored: StoredFeature | undefined, after: Feature, version: number) {
  const versions = new Map(stored?.revision.partVersions);
  const inline: Partial<Record<Part, string | null | undefined>> = {};
  const writes: Write[] = [];
  for (const part of parts) {
    if (stored?.feature[part] === after[part]) continue;
    const key = featureKeys.featurePart(after.name, part);
    const text = partTextOf(after, part);
    if (text !== null && Buffer.byteLength(text) > inlineBytesMax) {
      writes.push({ put: key, item: { value: text, version }, subject: `${part} of feature "${after.name}"` });
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
 * Refuses a description and tags with which the events of archiving would not fit the store: the feature could never be
 * archived.
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

/** Bytes that an event takes for its id, author and time. */
const eventOverhead = 2_048;

/** Builds the writes of the project's archive, whose entry for a feature has everything that the archive shows. */
function buildArchiveWrites(before: Feature | undefined, after: Feature | undefined): Write[] {
  const [oldKey, key] = [archiveKeyOf(before), archiveKeyOf(after)];
  const isMoved = oldKey !== undefined && (key === undefined || oldKey.pk !== key.pk || oldKey.sk !== key.sk);
  const writes: Write[] = isMoved ? [{ remove: oldKey }] : [];
  if (after !== undefined && key !== undefined) {
    const item = { feature: JSON.stringify(toListView(after)) };
    writes.push({ put: key, item, subject: `archive entry of feature "${after.name}"` });
  }
  return writes;
}

function archiveKeyOf(feature: Feature | undefined): Key | undefined {
  if (feature === undefined || feature.archivedAt === null) return undefined;
  return featureKeys.archivedFeature(feature.project, feature.archivedAt, feature.name);
}

/**
 * Builds the writes for added and removed parents, which have an item per child and a count. The transaction fails
 * unless an added parent is still live, in the same project, and without a parent of its own.
 */
function buildParentWrites(name: string, before: Feature | undefined, after: Feature | undefined): Write[] {
  const parentsOf = (side: Feature | undefined) => new Set((side?.dependencies ?? []).map(({ feature }) => feature));
  const [old, next] = [parentsOf(before), parentsOf(after)];
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
