import type { Project, ProjectEnvironment } from '../projects/projects.ts';
import { distinctBy } from '../values/lists.ts';
import { listLiveStrategies } from './environments/feature-environment.ts';
import { environmentOfFeature, type Feature, metadataOf } from './feature.ts';
import type { FeatureEnvironmentView, FeatureView, ListedFeature } from './feature-schema.ts';
import { viewEnvironmentSafeguards, viewPlan } from './plans/view-plan.ts';
import { sortByOrder, strategyViewOf } from './strategies/strategy.ts';
import type { Evaluations } from './use/feature-usage.ts';
import { type LastSeen, latestOf, neverSeen } from './use/last-seen.ts';

/** Returns a feature as lists show it: fields, tags and lifecycle, without environments. */
export function toListView(feature: Feature, lastSeen: LastSeen = neverSeen): ListedFeature {
  const { createdBy } = feature;
  return {
    ...metadataOf(feature),
    lastSeenAt: latestOf(lastSeen),
    createdBy: { id: createdBy.id, name: createdBy.name, imageUrl: '' },
    favorite: false,
    tags: [...feature.tags],
    lifecycle: feature.lifecycle,
  };
}

/** The use of a feature as reported by SDKs. */
export interface FeatureUse {
  readonly lastSeen: LastSeen;
  /** Evaluations of the current hour, by environment. */
  readonly evaluations: ReadonlyMap<string, Evaluations>;
}

const unused: FeatureUse = { lastSeen: neverSeen, evaluations: new Map() };

/** Returns the state of a feature in an environment of its project, as replies show it. */
export function toFeatureEnvironmentView(
  feature: Feature,
  { name, type, sortOrder }: ProjectEnvironment,
  { lastSeen, evaluations }: FeatureUse = unused,
): FeatureEnvironmentView {
  const state = environmentOfFeature(feature, name);
  const { enabled, strategies, variants, plan } = state;
  const live = listLiveStrategies(state);
  return {
    name,
    featureName: feature.name,
    environment: name,
    type,
    enabled,
    sortOrder,
    variantCount: variants.length,
    strategies: sortByOrder(strategies).map(strategyViewOf),
    variants: [...variants],
    lastSeenAt: lastSeen.get(name) ?? null,
    ...(evaluations.get(name) ?? { yes: 0, no: 0 }),
    hasStrategies: live.length > 0,
    hasEnabledStrategies: live.some(({ disabled }) => !disabled),
    releasePlans:
      plan === undefined ? [] : [viewPlan(plan, { feature: feature.name, environment: name }, state.nextAt)],
    safeguards: viewEnvironmentSafeguards(feature, name, state.safeguards),
  };
}

/** Returns a complete feature as replies show it, with all environments of its project. */
export function toFeatureView(feature: Feature, project: Project, use: FeatureUse = unused): FeatureView {
  const environments = project.environments.map((environment) => toFeatureEnvironmentView(feature, environment, use));
  const listed = toListView(feature, use.lastSeen);
  return {
    ...listed,
    enabled: environments.some(({ enabled }) => enabled),
    environments,
    variants: distinctBy(
      environments.flatMap(({ variants }) => variants),
      ({ name }) => name,
    ),
    strategies: [],
    children: [...feature.children],
    collaborators: { users: [listed.createdBy] },
    dependencies: [...feature.dependencies],
    links: feature.links.map((link) => ({ ...link, feature: feature.name })),
  };
}
