import { isDeepStrictEqual } from 'node:util';
import type { Key } from '../../store/client/definition.ts';
import type { Attributes } from '../../store/item.ts';
import { LostRace } from '../../store/transactions/retry.ts';
import type { Feature, FeatureEnvironment } from '../feature.ts';
import { type Life, lifeOf, lifeSince } from '../lifecycle/lifecycle.ts';
import { addUsualValues, type WrittenItem } from './written-item.ts';

/** Fields of a feature that can grow large. */
export const parts = ['description', 'tags', 'dependencies', 'links'] as const;
export type Part = (typeof parts)[number];

/**
 * A part that takes more bytes has an item of its own, so that the feature's own item, which every change rewrites, stays
 * small.
 */
export const inlineBytesMax = 512;

/** State of a feature in an environment without its strategies and variants: switching and listing need no more. */
export interface EnvironmentSummary {
  readonly enabled: boolean;
  readonly strategies: number;
  readonly enabledStrategies: number;
  readonly variants: number;
  /** The ids of the segments that its strategies use; missing where there are none. */
  readonly segments?: readonly number[];
  /** The names of the context fields that the constraints of its strategies compare; missing where there are none. */
  readonly contextFields?: readonly string[];
  /** Time when it was first switched on, whether it is on now or not; missing if it never was. */
  readonly firstOn?: string;
  /** The version of the feature that wrote the environment's item; 0 where there is none. */
  readonly version: number;
}

/** A feature's own item: the fields, whether it is on, and the parts that are small. */
export interface FeatureItem
  extends Pick<Feature, 'name' | 'project' | 'type' | 'stale' | 'impressionData' | 'createdAt' | 'archivedAt'> {
  /** JSON: Actor. */
  readonly createdBy: string;
  /** JSON: Lifecycle. */
  readonly lifecycle: string;
  readonly description?: string | null;
  /** JSON: Tag[]. */
  readonly tags?: string;
  /** JSON: Stage[]; missing where the current stage implies them. */
  readonly stages?: string;
  /** JSON: Dependency[]. */
  readonly dependencies?: string;
  /** JSON: FeatureLink[]; missing where there has never been one. */
  readonly links?: string;
  /** True once an event has reported that it has outlived the expected lifetime of its type. */
  readonly potentiallyStale?: boolean;
  /** Raised by every change of anything that belongs to the feature, and when a feature begins or ceases to depend on it. */
  readonly version: number;
  /** The first event, where an earlier feature had the name. */
  readonly firstEventId?: number;
  readonly lastEventId: number;
  readonly eventCount: number;
  /** Number of features that depend on it. */
  readonly childCount?: number;
  /** JSON: the ids of the change requests under a schedule that touch it. */
  readonly schedules?: string | undefined;
  /** The last event of the server that it was migrated from; 0 for none, missing where it was made here. */
  readonly importedEventId?: number;
  /** The mark of its item on the shelf of its project. */
  readonly mark: number;
  /** JSON: pairs of an environment and its EnvironmentSummary. */
  readonly environments: string;
  /** JSON: pairs of a part that has an item of its own and the version that wrote it. */
  readonly parts: string;
}

/** Part of a feature that has an item of its own. */
export interface FeaturePartItem {
  /** The text of a description, else JSON. */
  readonly value: string;
  readonly version: number;
}

/** Configuration of a feature in one environment, which applies while it is on there. */
export interface FeatureEnvironmentItem {
  /** JSON: Strategy[]. */
  readonly strategies: string;
  /** JSON: FeatureVariant[]. */
  readonly variants: string;
  /** The version of the feature that wrote it. */
  readonly version: number;
}

/**
 * Item that replaces a deleted feature's own item, so that the next feature of that name continues its counters: no
 * ETag of the one matches the other, and their events stay apart.
 */
export interface TombstoneItem {
  readonly deleted: true;
  /** The project that it was in, so that who must not see that one hears nothing of the name. */
  readonly project: string;
  readonly version: number;
  readonly lastEventId: number;
}

/** Versions that a change requires, and counters that it continues. */
export interface Revision
  extends Pick<FeatureItem, 'version' | 'firstEventId' | 'lastEventId' | 'eventCount' | 'mark'> {
  readonly childCount: number;
  readonly summaries: ReadonlyMap<string, EnvironmentSummary>;
  readonly partVersions: ReadonlyMap<Part, number>;
}

/**
 * Feature as far as its own item describes it, with the item as it was read: attributes that this release does not know
 * are kept.
 */
export interface FeatureHead extends Pick<Feature, 'name' | 'project' | 'archivedAt'> {
  readonly own: FeatureItem;
  readonly revision: Revision;
}

/** The items of a feature besides its own, by environment and by part, as far as they were read. */
export interface OtherItems {
  readonly environments: ReadonlyMap<string, FeatureEnvironmentItem | undefined>;
  readonly parts: ReadonlyMap<Part, FeaturePartItem | undefined>;
}

/** A feature as it was read. */
export interface StoredFeature extends Omit<FeatureHead, keyof Feature> {
  readonly feature: Feature;
  readonly environmentItems: OtherItems['environments'];
}

/** Feature with the keys of all its other items, including kinds that this release does not know. */
export interface WholeFeature {
  readonly stored: StoredFeature;
  readonly items: readonly Key[];
}

export function headFrom(item: WrittenItem<FeatureItem>): FeatureHead {
  const own = addUsualValues(item);
  const { name, project, archivedAt, version, firstEventId, lastEventId, eventCount, childCount = 0, mark } = own;
  return {
    name,
    project,
    archivedAt,
    own,
    revision: {
      version,
      ...(firstEventId !== undefined && { firstEventId }),
      lastEventId,
      eventCount,
      childCount,
      mark,
      summaries: new Map(JSON.parse(own.environments)),
      partVersions: new Map(JSON.parse(own.parts)),
    },
  };
}

/** Counters of a new feature. */
const nothing: Revision = {
  version: 0,
  lastEventId: 0,
  eventCount: 0,
  childCount: 0,
  mark: 0,
  summaries: new Map(),
  partVersions: new Map(),
};

/** Remains of a deleted feature, whose counters a new one of its name continues. */
export type Tombstone = Omit<TombstoneItem, 'deleted'>;

export function isTombstone(item: object): item is TombstoneItem {
  return 'deleted' in item;
}

/** Counters of a new feature that has a history elsewhere, whose events are in the store already. */
export type Past = Partial<Pick<Revision, 'firstEventId' | 'lastEventId' | 'eventCount' | 'summaries'>>;

/** Returns the counters that a new feature continues: initial ones, or those of an earlier feature of the name. */
export function revisionOnTopOf(
  remains: Tombstone | undefined,
  firstEventId: number | undefined,
  past: Past = {},
): Revision {
  if (remains === undefined || firstEventId === undefined) return { ...nothing, ...past };
  const { version, lastEventId } = remains;
  return { ...nothing, version, firstEventId, lastEventId, ...past };
}

/** Returns the tags of a feature. */
export function tagsFrom(own: Pick<FeatureItem, 'tags'>, part: FeaturePartItem | undefined): Feature['tags'] {
  return JSON.parse(own.tags ?? part?.value ?? '[]');
}

/**
 * Builds a feature from the items that were read. They are read one after the other, so a transaction can come in
 * between: it shows by an item that the feature's own does not name, or names in another version.
 * @throws LostRace when the items are not of one moment.
 */
export function featureFrom(head: FeatureHead, others: OtherItems, children: readonly string[]): StoredFeature {
  const { own, revision } = head;
  for (const part of parts) {
    if (others.parts.get(part)?.version !== revision.partVersions.get(part)) throw new LostRace();
  }
  const environments = new Map<string, FeatureEnvironment>();
  for (const [environment, item] of others.environments) {
    const summary = revision.summaries.get(environment);
    if ((item?.version ?? 0) !== (summary?.version ?? 0)) throw new LostRace();
    if (summary === undefined) continue;
    const { strategies = '[]', variants = '[]' } = item ?? {};
    const state = { strategies: JSON.parse(strategies), variants: JSON.parse(variants) };
    environments.set(environment, { enabled: summary.enabled, ...state });
  }
  const { name, project, type, stale, impressionData, createdAt, archivedAt, description = null, dependencies } = own;
  return {
    own,
    revision,
    environmentItems: others.environments,
    feature: {
      name,
      project,
      type,
      description: others.parts.get('description')?.value ?? description,
      stale,
      impressionData,
      createdAt,
      createdBy: JSON.parse(own.createdBy),
      archivedAt,
      tags: tagsFrom(own, others.parts.get('tags')),
      dependencies: JSON.parse(others.parts.get('dependencies')?.value ?? dependencies ?? '[]'),
      links: JSON.parse(others.parts.get('links')?.value ?? own.links ?? '[]'),
      ...lifeFrom(own),
      environments,
      children,
    },
  };
}

/** Returns the life of a feature from its own item. */
export function lifeFrom({ stages, lifecycle, createdAt }: FeatureItem): Life {
  return stages === undefined ? lifeSince(createdAt, JSON.parse(lifecycle)) : lifeOf(JSON.parse(stages));
}

/** Returns a feature's own item without its parts, based on the one that was read. */
export function featureItem(before: FeatureItem | undefined, feature: Feature, revision: Revision) {
  const { name, project, type, stale, impressionData, createdAt, createdBy, archivedAt } = feature;
  return {
    ...before,
    name,
    project,
    type,
    stale,
    impressionData,
    createdAt,
    createdBy: JSON.stringify(createdBy),
    archivedAt,
    ...lifeAttributes(createdAt, feature),
    ...revisionAttributes(revision),
  };
}

/** Returns the attributes of a feature's own item about the stages that it has entered. */
export function lifeAttributes(createdAt: string, { lifecycle, stages }: Life) {
  return {
    lifecycle: JSON.stringify(lifecycle),
    stages: isDeepStrictEqual(stages, lifeSince(createdAt, lifecycle).stages) ? undefined : JSON.stringify(stages),
  };
}

/** Returns the attributes of a feature's own item that every change rewrites. */
export function revisionAttributes({ summaries, partVersions, ...counts }: Revision) {
  return {
    ...counts,
    environments: JSON.stringify([...summaries]),
    parts: JSON.stringify([...partVersions]),
  };
}

export function summaryOf({ enabled, strategies, variants }: FeatureEnvironment, version: number): EnvironmentSummary {
  const segments = [...new Set(strategies.flatMap((strategy) => strategy.segments))];
  const compared = strategies.flatMap(({ constraints }) => constraints.map(({ contextName }) => contextName));
  const contextFields = [...new Set(compared)];
  return {
    enabled,
    strategies: strategies.length,
    enabledStrategies: strategies.filter(({ disabled }) => !disabled).length,
    variants: variants.length,
    ...(segments.length > 0 && { segments }),
    ...(contextFields.length > 0 && { contextFields }),
    version,
  };
}

/** Returns a summary with the time when the feature was first switched on. */
export function addEnabledAt(
  summary: EnvironmentSummary,
  before: EnvironmentSummary | undefined,
  at: string | undefined,
): EnvironmentSummary {
  const isFirst = summary.enabled && before?.enabled !== true;
  const firstOn = before?.firstOn ?? (isFirst ? at : undefined);
  return { ...summary, ...(firstOn !== undefined && { firstOn }) };
}

export function featureEnvironmentItem(
  before: FeatureEnvironmentItem | undefined,
  { strategies, variants }: FeatureEnvironment,
  version: number,
): Attributes {
  return { ...before, strategies: JSON.stringify(strategies), variants: JSON.stringify(variants), version };
}

/** Returns the text of a part; null where there is none. */
export function partText(feature: Feature, part: Part): string | null {
  return part === 'description' ? feature.description : JSON.stringify(feature[part]);
}
