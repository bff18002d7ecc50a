import { invalid } from '../../errors.ts';
import type { NewEvent } from '../../events/event.ts';
import { eventsBytesMax } from '../../events/event-items.ts';
import type { Event } from '../../events/event-schema.ts';
import type { Key } from '../../store/client/definition.ts';
import * as keys from '../../store/keys.ts';
import type { Write } from '../../store/transactions/write.ts';
import { tagUsedWrite } from '../../tags/tags.ts';
import { type Feature, type FeatureEnvironment, listedView } from '../feature.ts';
import { featureMetadataUpdated } from '../feature-events.ts';
import { strategyReferenceWrites } from '../strategies/strategy-referrers.ts';
import {
  dated,
  type EnvironmentSummary,
  type FeatureHead,
  featureEnvironmentItem,
  featureItem,
  inlineBytesMax,
  type Part,
  parts,
  partText,
  type Remains,
  revisionOnTopOf,
  type StoredFeature,
  summaryOf,
  type WholeFeature,
} from './feature-items.ts';
import { counted, headWrites, type OwnState, ownWrites } from './own-write.ts';
import { deliveryWrites, type VersionedState } from './shelf-items.ts';

/** A decided change of one feature: what was read (nothing, for a new one), what it becomes, and the events that say so. */
export interface FeatureChange {
  readonly stored: StoredFeature | undefined;
  /** What is left of an earlier feature of the name, for a new one. */
  readonly remains?: Remains | undefined;
  readonly after: Feature;
  readonly events: readonly NewEvent[];
}

/**
 * The writes that make a feature what it becomes, from the difference to what was read. All of them hang on the version
 * that was read. A feature that changes its project must have been read with all its environments.
 * @param events those of the change, under their ids.
 * @throws ApiError 400 when a part does not fit the store.
 */
export function featureWrites(
  { stored, remains, after }: Omit<FeatureChange, 'events'>,
  events: readonly Event[],
): Write[] {
  const before = stored?.feature;
  const revision = stored?.revision ?? revisionOnTopOf(remains, events[0]?.id);
  // Events alone, such as that it became a favorite, do not change lists.
  const isSame = before === after;
  const next = { ...counted(revision, events), ...(isSame && { mark: revision.mark }) };
  const { version } = next;
  const at = events[0]?.createdAt;
  const environments = changedEnvironments(before, after)
    .map((changed) => environmentWrites(stored, after, changed, version))
    .map((each) => ({ ...each, summary: dated(each.summary, revision.summaries.get(each.name), at) }));
  const bulky = changedParts(stored, after, version);
  assertArchivable(before, after);

  const changed = {
    ...next,
    summaries: new Map([...revision.summaries, ...environments.map(({ name, summary }) => [name, summary] as const)]),
    partVersions: bulky.versions,
  };
  const own = { ...featureItem(stored?.own, after, changed), ...bulky.inline };
  const inStep = ownWrites({
    ...{ name: after.name, before: stateOf(stored), remains, tags: before?.tags ?? [], events },
    after: { project: after.project, revision: changed, own },
  });
  return [
    inStep.own,
    ...bulky.writes,
    ...environments.flatMap(({ writes }) => writes),
    ...inStep.enabledCounts,
    ...inStep.shelf,
    ...deliveryWrites(
      after,
      environments.flatMap(({ delivered }) => delivered),
    ),
    ...archiveWrites(before, after),
    ...parentWrites(before, after),
    ...tagsReceived(before, after),
    ...inStep.events,
  ];
}

/** A transaction has no room for more of them; a tag after these could be removed at the very moment that it is received. */
const tagsGuardedMax = 50;

function tagsReceived(before: Feature | undefined, { tags, project }: Feature): Write[] {
  if (before?.tags === tags) return [];
  const had = new Set(before?.tags.map(({ type, value }) => `${type}#${value}`));
  return tags
    .filter(({ type, value }) => !had.has(`${type}#${value}`))
    .slice(0, tagsGuardedMax)
    .map((tag) => tagUsedWrite(tag, project));
}

/** As `featureWrites`, for a feature of which nothing changes but whether it is on in one environment. */
export function switchWrites(
  head: FeatureHead,
  tags: Feature['tags'],
  { environment, enabled }: { readonly environment: string; readonly enabled: boolean },
  events: readonly Event[],
): Write[] {
  const { revision } = head;
  const known = revision.summaries.get(environment) ?? summaryOf({ enabled, strategies: [], variants: [] }, 0);
  const summary = dated({ ...known, enabled }, revision.summaries.get(environment), events[0]?.createdAt);
  return headWrites(head, { summaries: new Map([...revision.summaries, [environment, summary]]) }, tags, events);
}

/**
 * The writes that delete a feature with all that belongs to it, but for its events. What is left says where the next
 * feature of its name counts on from.
 * @param events those of the deletion, under their ids.
 */
export function removalWrites({ stored, items }: WholeFeature, events: readonly Event[]): Write[] {
  const { feature } = stored;
  const { name, project, tags } = feature;
  const archive = [archiveKey(feature)].filter((key) => key !== undefined);
  const inStep = ownWrites({ name, before: stateOf(stored), after: undefined, tags, events });
  return [
    inStep.own,
    ...items.map((key) => ({ remove: key })),
    ...archive.map((key) => ({ remove: key })),
    ...inStep.shelf,
    ...[...feature.environments].flatMap(([environment, { strategies }]) =>
      strategyReferenceWrites({ feature: name, environment }, { project, strategies }, { project, strategies: [] }),
    ),
    ...inStep.enabledCounts,
    ...parentWrites(feature, { ...feature, dependencies: [] }),
    ...inStep.events,
  ];
}

function stateOf(stored: StoredFeature | undefined): OwnState | undefined {
  return stored && { project: stored.feature.project, revision: stored.revision, own: stored.own };
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
  /** What SDKs get otherwise from now on. */
  readonly delivered: readonly VersionedState[];
}

/** What is on or off alone leaves the items of the environment alone, however large they are. */
function environmentWrites(
  stored: StoredFeature | undefined,
  { name: feature, project }: Pick<Feature, 'name' | 'project'>,
  { name, before, after }: ChangedEnvironment,
  next: number,
): EnvironmentWrites {
  const old = stored?.revision.summaries.get(name)?.version ?? 0;
  const from = stored?.feature.project ?? project;
  const isSame = after.strategies === before?.strategies && after.variants === before?.variants;
  const isNothing = old === 0 && after.strategies.length + after.variants.length === 0;
  const version = isSame || isNothing ? old : next;
  const summary = summaryOf(after, version);
  if (version === 0 || (isSame && from === project)) return { name, summary, writes: [], delivered: [] };
  const item = featureEnvironmentItem(stored?.environmentItems.get(name), after, version);
  const what = `configuration of feature "${feature}" in environment "${name}"`;
  return {
    name,
    summary,
    writes: [
      ...(isSame ? [] : [{ put: keys.featureEnvironment(feature, name), item, what }]),
      ...(old === 0 || from === project ? [] : [{ remove: keys.delivery(from, name, feature) }]),
      ...strategyReferenceWrites(
        { feature, environment: name },
        { project: from, strategies: before?.strategies ?? [] },
        { project, strategies: after.strategies },
      ),
    ],
    delivered: [{ environment: name, state: after, version }],
  };
}

/** Each part that changed: on the feature's own item while it is small, else in one of its own. */
function changedParts(stored: StoredFeature | undefined, after: Feature, version: number) {
  const versions = new Map(stored?.revision.partVersions);
  const inline: Partial<Record<Part, string | null | undefined>> = {};
  const writes: Write[] = [];
  for (const part of parts) {
    if (stored?.feature[part] === after[part]) continue;
    const key = keys.featurePart(after.name, part);
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
 * Archiving is the way out for a feature, so what would leave its events no room is refused while it can be undone.
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

/** What an event says besides: its id, its author, its time. */
const eventOverhead = 2_048;

/** The archive of a project has an entry for each archived feature, with what it shows, so that one read gives it. */
function archiveWrites(before: Feature | undefined, after: Feature): Write[] {
  const [old, key] = [before && archiveKey(before), archiveKey(after)];
  const isLeft = old !== undefined && (key === undefined || old.pk !== key.pk || old.sk !== key.sk);
  const writes: Write[] = isLeft ? [{ remove: old }] : [];
  if (key !== undefined) {
    const item = { feature: JSON.stringify(listedView(after)) };
    writes.push({ put: key, item, what: `archive entry of feature "${after.name}"` });
  }
  return writes;
}

function archiveKey({ project, archivedAt, name }: Feature): Key | undefined {
  return archivedAt === null ? undefined : keys.archivedFeature(project, archivedAt, name);
}

/**
 * A parent knows its children by an item each, and how many they are. It must still be what the decision saw: live, in the
 * project, without a parent of its own.
 */
function parentWrites(before: Feature | undefined, after: Feature): Write[] {
  const parentsOf = (feature: Feature | undefined) => (feature?.dependencies ?? []).map((each) => each.feature);
  const [old, next] = [new Set(parentsOf(before)), new Set(parentsOf(after))];
  return [
    ...[...next.difference(old)].flatMap((parent): Write[] => [
      { put: keys.featureChild(parent, after.name), item: {} },
      {
        add: keys.feature(parent),
        amounts: { childCount: 1, version: 1 },
        when: { same: { project: after.project, archivedAt: null, dependencies: '[]' } },
      },
    ]),
    ...[...old.difference(next)].flatMap((parent): Write[] => [
      { remove: keys.featureChild(parent, after.name) },
      { add: keys.feature(parent), amounts: { childCount: -1, version: 1 }, when: 'present' },
    ]),
  ];
}
