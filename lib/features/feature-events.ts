import type { NewEvent } from '../events/event.ts';
import type { EventType } from '../events/event-schema.ts';
import type { Tag } from '../tags/tag-schema.ts';
import { type ImpactChart, viewImpactChart } from './chart.ts';
import type { FeatureVariant } from './environments/variant-schema.ts';
import { environmentOfFeature, type Feature, metadataOf } from './feature.ts';
import type { Completion, Dependency, FeatureLink } from './feature-schema.ts';
import { viewPlan } from './plans/view-plan.ts';
import { sortByOrder, strategyViewOf } from './strategies/strategy.ts';
import type { Strategy } from './strategies/strategy-schema.ts';

/** Builds an event of a feature, without tags: they are stored once for all events of a transaction. */
export function buildFeatureEvent(
  { name, project }: Pick<Feature, 'name' | 'project'>,
  type: EventType,
  more: Pick<NewEvent, 'environment' | 'data' | 'preData'> = {},
): NewEvent {
  return { type, featureName: name, project, ...more };
}

export function featureCreated(feature: Feature): NewEvent[] {
  const created = buildFeatureEvent(feature, 'feature-created', { data: metadataOf(feature) });
  return feature.archivedAt === null ? [created] : [created, featureArchived(feature)];
}

/** Returns one event for all changed fields, and one each for a change of staleness and of archiving. */
export function featureMetadataUpdated(before: Feature, after: Feature): NewEvent[] {
  const events = [
    buildFeatureEvent(after, 'feature-metadata-updated', { data: metadataOf(after), preData: metadataOf(before) }),
  ];
  if (before.stale !== after.stale) events.push(featureStale(after));
  const wasArchived = before.archivedAt !== null;
  const isArchived = after.archivedAt !== null;
  if (wasArchived !== isArchived) events.push(isArchived ? featureArchived(after) : featureRevived(after));
  return events;
}

/** Returns the event of a feature that was migrated or updated from another server. */
export function featureMigrated(feature: Feature, before: Feature | undefined): NewEvent {
  const preData = before === undefined ? null : contentOf(before);
  return buildFeatureEvent(feature, 'feature-import', { data: contentOf(feature), preData });
}

function contentOf(feature: Feature) {
  const environments = [...feature.environments].map(([name, { strategies, plan, ...state }]) => {
    const place = { feature: feature.name, environment: name };
    const releasePlans = plan && [viewPlan(plan, place)];
    return [name, { ...state, strategies: strategies.map(strategyViewOf), ...(plan && { releasePlans }) }] as const;
  });
  const { tags, dependencies, links } = feature;
  return { ...metadataOf(feature), tags, dependencies, links, environments: Object.fromEntries(environments) };
}

export const featureArchived = (feature: Feature) => buildFeatureEvent(feature, 'feature-archived');
export const featureRevived = (feature: Feature) => buildFeatureEvent(feature, 'feature-revived');

/** Returns the event of a feature that became stale or ceased to be stale. */
export const featureStale = (feature: Feature) =>
  buildFeatureEvent(feature, feature.stale ? 'feature-stale-on' : 'feature-stale-off');

export const featureMoved = (feature: Feature, oldProject: string) =>
  buildFeatureEvent(feature, 'feature-project-change', { data: { oldProject, newProject: feature.project } });

/** The moment to which a feature is reverted. */
interface Reverted {
  /** The last millisecond that belongs to the moment. */
  readonly to: string;
  /** The last event before the moment. */
  readonly lastEvent: number | null;
  /** The reverted environments, if not all. */
  readonly environments?: readonly string[] | undefined;
}

/** Returns the event that says why the following changes are made. */
export const featureReverted = (feature: Feature, { to, lastEvent, environments }: Reverted) =>
  buildFeatureEvent(feature, 'feature-reverted', { data: { to, lastEvent, ...(environments && { environments }) } });

/** The most bytes of content in the event of a deletion. A larger feature leaves only its fields, so that the event fits into its item. */
const deletedBytesMax = 200_000;

/** Returns the event of a deletion, with all content, so that what SDKs got before can be found out later. */
export function featureDeleted(feature: Feature): NewEvent {
  const content = contentOf(feature);
  const fits = Buffer.byteLength(JSON.stringify(content)) <= deletedBytesMax;
  return buildFeatureEvent(feature, 'feature-deleted', { preData: fits ? content : metadataOf(feature) });
}

export const featureTagged = (feature: Feature, { value, type }: Tag) =>
  buildFeatureEvent(feature, 'feature-tagged', { data: { value, type } });
export const featureUntagged = (feature: Feature, { value, type }: Tag) =>
  buildFeatureEvent(feature, 'feature-untagged', { preData: { value, type } });

export const featureStrategyAdded = (feature: Feature, environment: string, strategy: Strategy) =>
  buildFeatureEvent(feature, 'feature-strategy-add', { environment, data: strategyViewOf(strategy) });

/** @param all the strategies before; missing if the update cannot change the position. */
export const featureStrategyUpdated = (
  feature: Feature,
  environment: string,
  before: Strategy,
  after: Strategy,
  all: readonly Strategy[] = [],
) =>
  buildFeatureEvent(feature, 'feature-strategy-update', {
    environment,
    data: strategyViewOf(after),
    preData: {
      ...strategyViewOf(before),
      ...(before.sortOrder !== after.sortOrder && positionAmong(all, before)),
    },
  });

/** The position of a removed strategy, as far as its sort order does not tell it. */
interface StrategyPosition {
  /** The milestone of the release plan to which it belonged. */
  readonly milestoneId?: string;
  /** The index in the order of all strategies; missing unless another strategy had the same position. */
  readonly index?: number;
}

/**
 * Returns the events of strategies that are removed one after the other.
 * @param before all strategies of the feature in the environment, or of the milestone.
 */
export function featureStrategiesRemoved(
  feature: Feature,
  environment: string,
  before: readonly Strategy[],
  removed: readonly Strategy[],
  milestone: Pick<StrategyPosition, 'milestoneId'> = {},
): NewEvent[] {
  let left = before;
  return removed.map((strategy) => {
    const preData: StrategyPosition = { ...strategyViewOf(strategy), ...milestone, ...positionAmong(left, strategy) };
    left = left.filter((other) => other !== strategy);
    return buildFeatureEvent(feature, 'feature-strategy-remove', { environment, preData: { ...preData } });
  });
}

/** Returns the index of a strategy in the order of positions, if another one has the same position. */
function positionAmong(strategies: readonly Strategy[], strategy: Strategy): Pick<StrategyPosition, 'index'> {
  const isTied = strategies.some((other) => other !== strategy && other.sortOrder === strategy.sortOrder);
  return isTied ? { index: sortByOrder(strategies).indexOf(strategy) } : {};
}

export function featureStrategiesReordered(
  feature: Feature,
  environment: string,
  before: readonly Strategy[],
  after: readonly Strategy[],
): NewEvent {
  const orderOf = (strategies: readonly Strategy[]) => {
    const sorted = sortByOrder(strategies);
    return { strategyIds: sorted.map(({ id }) => id), sortOrders: sorted.map(({ sortOrder }) => sortOrder) };
  };
  return buildFeatureEvent(feature, 'strategy-order-changed', {
    environment,
    data: orderOf(after),
    preData: orderOf(before),
  });
}

export const featureSwitched = (feature: Pick<Feature, 'name' | 'project'>, environment: string, enabled: boolean) =>
  buildFeatureEvent(feature, enabled ? 'feature-environment-enabled' : 'feature-environment-disabled', { environment });
export const featureFavorited = (feature: Feature, favorite: boolean) =>
  buildFeatureEvent(feature, favorite ? 'feature-favorited' : 'feature-unfavorited', {
    data: { feature: feature.name },
  });

export const featureLinkAdded = (feature: Feature, link: FeatureLink) =>
  buildFeatureEvent(feature, 'feature-link-added', { data: withoutId(link) });
export const featureLinkUpdated = (feature: Feature, before: FeatureLink, after: FeatureLink) =>
  buildFeatureEvent(feature, 'feature-link-updated', { data: withoutId(after), preData: withoutId(before) });
export const featureLinkRemoved = (feature: Feature, link: FeatureLink) =>
  buildFeatureEvent(feature, 'feature-link-removed', { preData: withoutId(link) });

/** Returns the event of a new chart, or of the new content of one. */
export function impactChartSaved(feature: Feature, before: ImpactChart | undefined, after: ImpactChart): NewEvent {
  if (before === undefined)
    return buildFeatureEvent(feature, 'impact-metric-created', { data: viewImpactChart(after) });
  return buildFeatureEvent(feature, 'impact-metric-updated', {
    data: viewImpactChart(after),
    preData: viewImpactChart(before),
  });
}

export const impactChartDeleted = (feature: Feature, chart: ImpactChart) =>
  buildFeatureEvent(feature, 'impact-metric-deleted', { preData: viewImpactChart(chart) });

function withoutId({ id: _id, ...link }: FeatureLink) {
  return link;
}

export const featureCompleted = (feature: Feature, completion: Completion) =>
  buildFeatureEvent(feature, 'feature-completed', { data: { ...completion, kept: completion.status === 'kept' } });
export const featureUncompleted = (feature: Feature) => buildFeatureEvent(feature, 'feature-uncompleted');

export function featureVariantsUpdated(feature: Feature, environment: string, before: readonly FeatureVariant[]) {
  const { variants } = environmentOfFeature(feature, environment);
  const type = 'feature-environment-variants-updated';
  return buildFeatureEvent(feature, type, { environment, data: { variants }, preData: { variants: before } });
}

/* Events of dependencies contain the parents before, since time travel restores their order. */

const dependenciesOf = ({ dependencies }: Feature) => (dependencies.length > 0 ? { preData: { dependencies } } : {});

export const featureDependencyAdded = (before: Feature, dependency: Dependency) =>
  buildFeatureEvent(before, 'feature-dependency-added', { data: { ...dependency }, ...dependenciesOf(before) });
export const featureDependencyRemoved = (before: Feature, parent: string) =>
  buildFeatureEvent(before, 'feature-dependency-removed', { data: { feature: parent }, ...dependenciesOf(before) });
export const featureDependenciesRemoved = (before: Feature) =>
  buildFeatureEvent(before, 'feature-dependencies-removed', dependenciesOf(before));
