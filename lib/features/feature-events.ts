import type { NewEvent } from '../events/event.ts';
import type { Tag } from '../tags/tag-schema.ts';
import type { FeatureVariant } from './environments/variant-schema.ts';
import { type Feature, metadataOf } from './feature.ts';
import type { Completion, FeatureLink } from './feature-schema.ts';
import type { Strategy } from './strategies/strategy-schema.ts';

/** Returns the fields that every event of a feature has; its tags are stored once for all events of a commit. */
function about({ name, project }: Pick<Feature, 'name' | 'project'>): Pick<NewEvent, 'featureName' | 'project'> {
  return { featureName: name, project };
}

export function featureCreated(feature: Feature): NewEvent[] {
  const events: NewEvent[] = [{ type: 'feature-created', ...about(feature), data: metadataOf(feature) }];
  if (feature.archivedAt !== null) events.push(featureArchived(feature));
  return events;
}

/**
 * Returns one event for all changes of the feature's own fields, and one for each change that has a type of its own.
 */
export function featureMetadataUpdated(before: Feature, after: Feature): NewEvent[] {
  const events: NewEvent[] = [
    { type: 'feature-metadata-updated', ...about(after), data: metadataOf(after), preData: metadataOf(before) },
  ];
  if (before.stale !== after.stale) events.push(featureStale(after));
  const wasArchived = before.archivedAt !== null;
  const isArchived = after.archivedAt !== null;
  if (wasArchived !== isArchived) events.push(isArchived ? featureArchived(after) : featureRevived(after));
  return events;
}

/** Returns the event of a feature that came from elsewhere as a whole, or was brought up to date from there. */
export function featureMigrated(feature: Feature, before: Feature | undefined): NewEvent {
  const preData = before === undefined ? null : wholeOf(before);
  return { type: 'feature-import', ...about(feature), data: wholeOf(feature), preData };
}

function wholeOf(feature: Feature) {
  const environments = [...feature.environments].map(([name, { strategies, ...state }]) => {
    return [name, { ...state, strategies: strategies.map(withoutFeature) }] as const;
  });
  const { tags, dependencies, links } = feature;
  return { ...metadataOf(feature), tags, dependencies, links, environments: Object.fromEntries(environments) };
}

export function featureArchived(feature: Feature): NewEvent {
  return { type: 'feature-archived', ...about(feature) };
}

export function featureRevived(feature: Feature): NewEvent {
  return { type: 'feature-revived', ...about(feature) };
}

/** Returns the event of a feature that became stale, or is no longer stale. */
export function featureStale(feature: Feature): NewEvent {
  return { type: feature.stale ? 'feature-stale-on' : 'feature-stale-off', ...about(feature) };
}

export function featureMoved(feature: Feature, oldProject: string): NewEvent {
  return { type: 'feature-project-change', ...about(feature), data: { oldProject, newProject: feature.project } };
}

export function featureDeleted(feature: Feature): NewEvent {
  return { type: 'feature-deleted', ...about(feature), preData: metadataOf(feature) };
}

export function featureTagged(feature: Feature, { value, type }: Tag): NewEvent {
  return { type: 'feature-tagged', ...about(feature), data: { value, type } };
}

export function featureUntagged(feature: Feature, { value, type }: Tag): NewEvent {
  return { type: 'feature-untagged', ...about(feature), preData: { value, type } };
}

export function featureStrategyAdded(feature: Feature, environment: string, strategy: Strategy): NewEvent {
  return { type: 'feature-strategy-add', ...about(feature), environment, data: withoutFeature(strategy) };
}

export function featureStrategyUpdated(
  feature: Feature,
  environment: string,
  before: Strategy,
  after: Strategy,
): NewEvent {
  return {
    type: 'feature-strategy-update',
    ...about(feature),
    environment,
    data: withoutFeature(after),
    preData: withoutFeature(before),
  };
}

export function featureStrategyRemoved(feature: Feature, environment: string, strategy: Strategy): NewEvent {
  return { type: 'feature-strategy-remove', ...about(feature), environment, preData: withoutFeature(strategy) };
}

export function featureStrategiesReordered(
  feature: Feature,
  environment: string,
  before: readonly Strategy[],
  after: readonly Strategy[],
): NewEvent {
  const order = (strategies: readonly Strategy[]) => ({ strategyIds: strategies.map(({ id }) => id) });
  return {
    type: 'strategy-order-changed',
    ...about(feature),
    environment,
    data: order(after),
    preData: order(before),
  };
}

/** The event names its feature already. */
function withoutFeature({ featureName: _featureName, ...strategy }: Strategy) {
  return strategy;
}

export function featureSwitched(
  feature: Pick<Feature, 'name' | 'project'>,
  environment: string,
  enabled: boolean,
): NewEvent {
  const type = enabled ? 'feature-environment-enabled' : 'feature-environment-disabled';
  return { type, ...about(feature), environment };
}

export function featureFavorited(feature: Feature, favorite: boolean): NewEvent {
  const type = favorite ? 'feature-favorited' : 'feature-unfavorited';
  return { type, ...about(feature), data: { feature: feature.name } };
}

export function featureLinkAdded(feature: Feature, link: FeatureLink): NewEvent {
  return { type: 'feature-link-added', ...about(feature), data: withoutId(link) };
}

export function featureLinkUpdated(feature: Feature, before: FeatureLink, after: FeatureLink): NewEvent {
  return { type: 'feature-link-updated', ...about(feature), data: withoutId(after), preData: withoutId(before) };
}

export function featureLinkRemoved(feature: Feature, link: FeatureLink): NewEvent {
  return { type: 'feature-link-removed', ...about(feature), preData: withoutId(link) };
}

function withoutId({ id: _id, ...link }: FeatureLink) {
  return link;
}

export function featureCompleted(feature: Feature, completion: Completion): NewEvent {
  return { type: 'feature-completed', ...about(feature), data: { ...completion, kept: completion.status === 'kept' } };
}

export function featureUncompleted(feature: Feature): NewEvent {
  return { type: 'feature-uncompleted', ...about(feature) };
}

export function featureVariantsUpdated(
  feature: Feature,
  environment: string,
  before: readonly FeatureVariant[],
): NewEvent {
  return {
    type: 'feature-environment-variants-updated',
    ...about(feature),
    environment,
    data: { variants: feature.environments.get(environment)?.variants ?? [] },
    preData: { variants: before },
  };
}

export function featureDependencyRemoved(feature: Feature, parent: string): NewEvent {
  return { type: 'feature-dependency-removed', ...about(feature), data: { feature: parent } };
}

export function featureDependenciesRemoved(feature: Feature): NewEvent {
  return { type: 'feature-dependencies-removed', ...about(feature) };
}

export function featureDependencyAdded(feature: Feature, dependency: Feature['dependencies'][number]): NewEvent {
  return { type: 'feature-dependency-added', ...about(feature), data: { ...dependency } };
}
