import { isDeepStrictEqual } from 'node:util';
import type { Key } from '../../store/client/definition.ts';
import type { Attributes } from '../../store/item.ts';
import { LostRace } from '../../store/transactions/retry.ts';
import type { Feature, FeatureEnvironment } from '../feature.ts';
import { buildLifeSince, type Life, lifeOf } from '../lifecycle/lifecycle.ts';
import { moveClock, type PlanSummary, summarizePlan } from '../plans/plan-summary.ts';
import { listAllStrategies, listLiveStrategies } from '../plans/release-plan.ts';
import { servesEverybody } from '../strategies/serves-everybody.ts';
import { addDefaults, type CompactItem } from './compact-item.ts';

/** The fields of a feature that can grow large. */
export const parts = ['description', 'tags', 'dependencies', 'links', 'charts'] as const;
export type Part = (typeof parts)[number];

/** A larger part has an item of its own, so that the feature's own item, which every change rewrites, stays small. */
export const inlineBytesMax = 512;

/** The state of a feature in an environment without strategies and variants, for switching and listing. */
export interface EnvironmentSummary {
  readonly enabled: boolean;
  /** The number of live strategies: those of the active milestone, and those of the feature itself. */
  readonly strategies: number;
  readonly enabledStrategies: number;
  readonly variants: number;
  /** Missing without a release plan. */
  readonly plan?: PlanSummary;
  /** The number of safeguards that can switch the feature off; missing for none. */
  readonly safeguards?: number;
  /** The ids of the segments that its strategies use, in any milestone; missing if there are none. */
  readonly segments?: readonly number[];
  /** The names of the context fields that the constraints of these strategies compare; missing if there are none. */
  readonly contextFields?: readonly string[];
  /** The time when the feature was first switched on here; missing if it never was. */
  readonly firstOn?: string;
  /** The version of the feature that wrote the environment's item; 0 if there is no such item. */
  readonly version: number;
}

/** A feature's own item: the fields, the summaries of environments, and the small parts. */
export interface FeatureItem
  extends Pick<Feature, 'name' | 'project' | 'type' | 'stale' | 'impressionData' | 'createdAt' | 'archivedAt'> {
  /** JSON: Actor. */
  readonly createdBy: string;
  /** JSON: Lifecycle. */
  readonly lifecycle: string;
  readonly description?: string | null;
  /** JSON: Tag[]. */
  readonly tags?: string;
  /** JSON: Stage[]; missing if the current stage implies them. */
  readonly stages?: string;
  /** JSON: Dependency[]. */
  readonly dependencies?: string;
  /** JSON: FeatureLink[]; missing if there has never been one. */
  readonly links?: string;
  /** JSON: ImpactChart[]; missing if there are none. */
  readonly charts?: string;
  /** True after the event that the feature is older than the expected lifetime of its type. */
  readonly potentiallyStale?: boolean;
  /** Incremented by every change of any part of the feature, and when another feature begins or ceases to depend on it. */
  readonly version: number;
  /** The id of the first event; only if a deleted feature had the same name. */
  readonly firstEventId?: number;
  readonly lastEventId: number;
  readonly eventCount: number;
  /** The link of its last events (lib/events/event-chain.ts); missing until the first change by release 0.7 or later. */
  readonly link?: string;
  /** Number of features that depend on it. */
  readonly childCount?: number;
  /** JSON: the ids of the scheduled change requests that change this feature. */
  readonly schedules?: string | undefined;
  /** The id of the last event on the server that it was migrated from; 0 for none, missing if it was created here. */
  readonly importedEventId?: number;
  /** The checksum of its item in the read model of its project. */
  readonly mark: number;
  /** JSON: pairs of an environment and its EnvironmentSummary. */
  readonly environments: string;
  /** JSON: pairs of a part that has an item of its own and the version that wrote it. */
  readonly parts: string;
}

/** Part of a feature that has an item of its own. */
export interface FeaturePartItem {
  /** The text of a description; other parts as JSON. */
  readonly value: string;
  readonly version: number;
}

/** The configuration of a feature in one environment, whether it is on there or not. */
export interface FeatureEnvironmentItem {
  /** JSON: Strategy[]. */
  readonly strategies: string;
  /** JSON: FeatureVariant[]. */
  readonly variants: string;
  /** JSON: ReleasePlan; missing if there is none. */
  readonly plan?: string;
  /** JSON: Safeguard[]; missing if there are none. */
  readonly safeguards?: string;
  /** The version of the feature that wrote it. */
  readonly version: number;
}

/**
 * The item that replaces a deleted feature's own item. The next feature of the name continues its counters, so that ETags
 * of the two never match and their events stay separate.
 */
export interface TombstoneItem {
  readonly deleted: true;
  /** The project of the deleted feature: a caller who must not see this project must not learn the name. */
  readonly project: string;
  readonly version: number;
  readonly lastEventId: number;
  readonly link?: string;
}

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

export function summaryOf(state: FeatureEnvironment, version: number): EnvironmentSummary {
  const { enabled, variants, safeguards } = state;
  const [all, strategies] = [listAllStrategies(state), listLiveStrategies(state)];
  const segments = [...new Set(all.flatMap((strategy) => strategy.segments))];
  const compared = all.flatMap(({ constraints }) => constraints.map(({ contextName }) => contextName));
  const contextFields = [...new Set(compared)];
  return {
    enabled,
    strategies: strategies.length,
    enabledStrategies: strategies.filter(({ disabled }) => !disabled).length,
    variants: variants.length,
    ...(safeguards && { safeguards: safeguards.length }),
    ...(segments.length > 0 && { segments }),
    ...(contextFields.length > 0 && { contextFields }),
    version,
  };
}

/** The plan of a feature in an environment before a change, and after it. */
interface PlanChange {
  readonly before: Pick<FeatureEnvironment, 'plan'> | undefined;
  readonly after: Pick<FeatureEnvironment, 'plan' | 'strategies'>;
}

/** Adds the plan to a summary. `moveClocks` then starts or stops its clock. */
export function addPlan(
  summary: EnvironmentSummary,
  { before, after }: PlanChange,
  summaryBefore: EnvironmentSummary | undefined,
  at: string,
): EnvironmentSummary {
  if (after.plan === undefined) return summary;
  const plan = summarizePlan(after.plan, { plan: before?.plan, summary: summaryBefore?.plan }, at);
  return { ...summary, plan: { ...plan, ...(after.strategies.some(servesEverybody) && { isForEverybody: true }) } };
}

/** Starts the clocks of the plans of a feature where it is live and switched on, and stops the others. */
export function moveClocks(summaries: Revision['summaries'], isLive: boolean, at: string): Revision['summaries'] {
  return new Map(
    [...summaries].map(([name, summary]) =>
      summary.plan === undefined
        ? [name, summary]
        : [name, { ...summary, plan: moveClock(summary.plan, isLive && summary.enabled, at) }],
    ),
  );
}

/** Tells whether the clock has to watch a safeguard of a live feature in an environment. A paused plan is left alone. */
export function isGuarded({ enabled, plan, safeguards = 0 }: EnvironmentSummary): boolean {
  const isPlanGuarded = plan?.active !== undefined && !plan.paused && (plan.safeguards ?? 0) > 0;
  return enabled && (safeguards > 0 || isPlanGuarded);
}

/** Adds the time when the feature was first switched on to a summary. */
export function addEnabledAt(
  summary: EnvironmentSummary,
  before: EnvironmentSummary | undefined,
  at: string | undefined,
): EnvironmentSummary {
  const isFirst = summary.enabled && before?.enabled !== true;
  const firstOn = before?.firstOn ?? (isFirst ? at : undefined);
  return { ...summary, ...(firstOn !== undefined && { firstOn }) };
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
