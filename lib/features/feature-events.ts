import type { NewEvent } from '../events/event.ts';
import type { EventType } from '../events/event-schema.ts';
import type { Tag } from '../tags/tag-schema.ts';
import { type ImpactChart, viewImpactChart } from './chart.ts';
import type { FeatureVariant } from './environments/variant-schema.ts';
import { environmentOfFeature, type Feature, metadataOf } from './feature.ts';
import type { Completion, FeatureLink } from './feature-schema.ts';
import { viewPlan } from './plans/view-plan.ts';
import { strategyViewOf } from './strategies/strategy.ts';
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
export const featureDeleted = (feature: Feature) =>
  buildFeatureEvent(feature, 'feature-deleted', { preData: metadataOf(feature) });

export const featureTagged = (feature: Feature, { value, type }: Tag) =>
  buildFeatureEvent(feature, 'feature-tagged', { data: { value, type } });
export const featureUntagged = (feature: Feature, { value, type }: Tag) =>
  buildFeatureEvent(feature, 'feature-untagged', { preData: { value, type } });

export const featureStrategyAdded = (feature: Feature, environment: string, strategy: Strategy) =>
  buildFeatureEvent(feature, 'feature-strategy-add', { environment, data: strategyViewOf(strategy) });
export const featureStrategyUpdated = (feature: Feature, environment: string, before: Strategy, after: Strategy) =>
  buildFeatureEvent(feature, 'feature-strategy-update', {
    environment,
    data: strategyViewOf(after),
    preData: strategyViewOf(before),
  });
export const featureStrategyRemoved = (feature: Feature, environment: string, strategy: Strategy) =>
  buildFeatureEvent(feature, 'feature-strategy-remove', { environment, preData: strategyViewOf(strategy) });

export function featureStrategiesReordered(
  feature: Feature,
  environment: string,
  before: readonly Strategy[],
  after: readonly Strategy[],
): NewEvent {
  const idsOf = (strategies: readonly Strategy[]) => ({ strategyIds: strategies.map(({ id }) => id) });
  return buildFeatureEvent(feature, 'strategy-order-changed', {
    environment,
    data: idsOf(after),
    preData: idsOf(before),
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

export const featureDependencyAdded = (feature: Feature, dependency: Feature['dependencies'][number]) =>
  buildFeatureEvent(feature, 'feature-dependency-added', { data: { ...dependency } });
export const featureDependencyRemoved = (feature: Feature, parent: string) =>
  buildFeatureEvent(feature, 'feature-dependency-removed', { data: { feature: parent } });
export const featureDependenciesRemoved = (feature: Feature) =>
  buildFeatureEvent(feature, 'feature-dependencies-removed');
