import { isDeepStrictEqual } from 'node:util';
import type { Key } from '../../store/client/definition.ts';
import type { Attributes } from '../../store/item.ts';
import { LostRace } from '../../store/transactions/retry.ts';
import type { FeatureEnvironment } from '../environments/feature-environment.ts';
import type { Feature } from '../feature.ts';
import { buildLifeSince, type Life, lifeOf } from '../lifecycle/lifecycle.ts';
import { addDefaults, type CompactItem } from './compact-item.ts';
import type { EnvironmentSummary } from './environment-summary.ts';
import type { FeatureEnvironmentItem, FeatureItem, FeaturePartItem, TombstoneItem } from './stored-items.ts';

/** The fields of a feature that can grow large. */
export const parts = ['description', 'tags', 'dependencies', 'links', 'charts'] as const;
export type Part = (typeof parts)[number];

/** A larger part has an item of its own, so that the feature's own item, which every change rewrites, stays small. */
export const inlineBytesMax = 512;

/** The versions that a change requires, and the counters that it continues. */
export interface Revision
  extends Pick<FeatureItem, 'version' | 'firstEventId' | 'lastEventId' | 'eventCount' | 'link' | 'mark'> {
  readonly childCount: number;
  readonly summaries: ReadonlyMap<string, EnvironmentSummary>;
  readonly partVersions: ReadonlyMap<Part, number>;
}

/**
 * The head of a feature: its own item, which has its properties and the versions of its other items. The item is kept as read, so that
 * unknown attributes are written again.
 */
export interface FeatureHead extends Pick<Feature, 'name' | 'project' | 'archivedAt'> {
  readonly own: FeatureItem;
  readonly revision: Revision;
}

/** The other items of a feature that were read, by environment and by part. */
export interface OtherItems {
  readonly environments: ReadonlyMap<string, FeatureEnvironmentItem | undefined>;
  readonly parts: ReadonlyMap<Part, FeaturePartItem | undefined>;
}

/** A feature as it was read. */
export interface StoredFeature extends Omit<FeatureHead, keyof Feature> {
  readonly feature: Feature;
  readonly environmentItems: OtherItems['environments'];
}

/** A feature, and the keys of all its other items, including unknown kinds. */
export interface WholeFeature {
  readonly stored: StoredFeature;
  readonly items: readonly Key[];
}

export function parseHead(item: CompactItem<FeatureItem>): FeatureHead {
  const own = addDefaults(item);
  const { name, project, archivedAt, version, firstEventId, lastEventId, eventCount, link, childCount = 0, mark } = own;
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
      ...(link !== undefined && { link }),
      childCount,
      mark,
      summaries: new Map(JSON.parse(own.environments)),
      partVersions: new Map(JSON.parse(own.parts)),
    },
  };
}

/** The counters of a new feature. */
const zeroRevision: Revision = {
  version: 0,
  lastEventId: 0,
  eventCount: 0,
  childCount: 0,
  mark: 0,
  summaries: new Map(),
  partVersions: new Map(),
};

/** The counters of a deleted feature, which a new feature of its name continues. */
export type Tombstone = Omit<TombstoneItem, 'deleted'>;

export function isTombstone(item: object): item is TombstoneItem {
  return 'deleted' in item;
}

/** The counters of a feature migrated from another server, whose events are in the store already. */
export type Past = Partial<Pick<Revision, 'firstEventId' | 'lastEventId' | 'eventCount' | 'summaries'>>;

/** Returns the counters with which a new feature begins, continuing those of a deleted feature of the name. */
export function buildInitialRevision(
  tombstone: Tombstone | undefined,
  firstEventId: number | undefined,
  past: Past = {},
): Revision {
  if (tombstone === undefined || firstEventId === undefined) return { ...zeroRevision, ...past };
  const { version, lastEventId, link } = tombstone;
  return { ...zeroRevision, version, firstEventId, lastEventId, ...(link !== undefined && { link }), ...past };
}

/** Returns the tags of a feature, from its own item or the item of its tags. */
export function parseTags(own: Pick<FeatureItem, 'tags'>, part: FeaturePartItem | undefined): Feature['tags'] {
  return JSON.parse(own.tags ?? part?.value ?? '[]');
}

/**
 * Builds a feature from its items. A transaction can come between the reads of the items: then the versions in the
 * feature's own item differ from those of the other items.
 * @throws LostRace if the versions differ.
 */
export function assembleFeature(head: FeatureHead, others: OtherItems, children: readonly string[]): StoredFeature {
  const { own, revision } = head;
  for (const part of parts) {
    if (others.parts.get(part)?.version !== revision.partVersions.get(part)) throw new LostRace();
  }
  const environments = new Map<string, FeatureEnvironment>();
  for (const [environment, item] of others.environments) {
    const summary = revision.summaries.get(environment);
    if ((item?.version ?? 0) !== (summary?.version ?? 0)) throw new LostRace();
    if (summary === undefined) continue;
    const { nextAt } = summary.plan ?? {};
    const state = { enabled: summary.enabled, ...parseConfiguration(item) };
    environments.set(environment, nextAt === undefined ? state : { ...state, nextAt });
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
      tags: parseTags(own, others.parts.get('tags')),
      dependencies: JSON.parse(others.parts.get('dependencies')?.value ?? dependencies ?? '[]'),
      links: JSON.parse(others.parts.get('links')?.value ?? own.links ?? '[]'),
      charts: JSON.parse(others.parts.get('charts')?.value ?? own.charts ?? '[]'),
      ...parseLife(own),
      environments,
      children,
    },
  };
}

/** Returns the life cycle of a feature from its own item. */
export function parseLife({ stages, lifecycle, createdAt }: FeatureItem): Life {
  return stages === undefined ? buildLifeSince(createdAt, JSON.parse(lifecycle)) : lifeOf(JSON.parse(stages));
}

/** Builds a feature's own item without its parts; unknown attributes of the item that was read are kept. */
export function buildFeatureItem(before: FeatureItem | undefined, feature: Feature, revision: Revision) {
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
    ...lifeAttributesOf(createdAt, feature),
    ...revisionAttributesOf(revision),
  };
}

/** Returns the attributes of a feature's own item for its life cycle. */
export function lifeAttributesOf(createdAt: string, { lifecycle, stages }: Life) {
  return {
    lifecycle: JSON.stringify(lifecycle),
    stages: isDeepStrictEqual(stages, buildLifeSince(createdAt, lifecycle).stages) ? undefined : JSON.stringify(stages),
  };
}

/** Returns the attributes of a feature's own item that every change rewrites. */
export function revisionAttributesOf({ summaries, partVersions, ...counts }: Revision) {
  return {
    ...counts,
    environments: JSON.stringify([...summaries]),
    parts: JSON.stringify([...partVersions]),
  };
}

/** Returns the configuration of a feature from its item; an empty one without an item. */
export function parseConfiguration(item: FeatureEnvironmentItem | undefined): Omit<FeatureEnvironment, 'enabled'> {
  const { strategies = '[]', variants = '[]', plan, safeguards } = item ?? {};
  return {
    strategies: JSON.parse(strategies),
    variants: JSON.parse(variants),
    ...(plan !== undefined && { plan: JSON.parse(plan) }),
    ...(safeguards !== undefined && { safeguards: JSON.parse(safeguards) }),
  };
}

export function buildEnvironmentItem(
  before: FeatureEnvironmentItem | undefined,
  { strategies, variants, plan, safeguards }: FeatureEnvironment,
  version: number,
): Attributes {
  const { plan: _plan, safeguards: _safeguards, ...others } = before ?? {};
  return {
    ...others,
    strategies: JSON.stringify(strategies),
    variants: JSON.stringify(variants),
    ...(plan && { plan: JSON.stringify(plan) }),
    ...(safeguards && { safeguards: JSON.stringify(safeguards) }),
    version,
  };
}

/** Returns a part as it is stored; null if there is no description. */
export function partTextOf(feature: Feature, part: Part): string | null {
  return part === 'description' ? feature.description : JSON.stringify(feature[part]);
}
