import type { Author } from '../events/actor.ts';
import type { Project, ProjectEnvironment } from '../projects/projects.ts';
import type { Tag } from '../tags/tag-schema.ts';
import { distinctBy } from '../values/lists.ts';
import type { ImpactChart } from './chart.ts';
import type { FeatureVariant } from './environments/variant-schema.ts';
import type {
  Dependency,
  FeatureEnvironmentView,
  FeatureLink,
  FeatureView,
  Lifecycle,
  ListedFeature,
  Stage,
} from './feature-schema.ts';
import { buildNewLife, enterStage } from './lifecycle/lifecycle.ts';
import { listLiveStrategies, type ReleasePlan } from './plans/release-plan.ts';
import type { Safeguard } from './plans/safeguard-schema.ts';
import { viewEnvironmentSafeguards, viewPlan } from './plans/view-plan.ts';
import { sortByOrder, strategyViewOf } from './strategies/strategy.ts';
import type { Strategy } from './strategies/strategy-schema.ts';
import type { Evaluations } from './use/feature-usage.ts';
import { type LastSeen, latestOf, neverSeen } from './use/last-seen.ts';

/** The state of a feature in one environment. */
export interface FeatureEnvironment {
  readonly enabled: boolean;
  /** The strategies that belong to the feature itself. While a plan is active, those of its milestone come before them. */
  readonly strategies: readonly Strategy[];
  readonly variants: readonly FeatureVariant[];
  readonly plan?: ReleasePlan;
  /** The safeguards that can switch the feature off here; missing if there are none. */
  readonly safeguards?: readonly Safeguard[];
  /** The time at which the next milestone of the plan starts by itself, as it was read. */
  readonly nextAt?: string;
}

/** A feature with all its parts. */
export interface Feature {
  readonly name: string;
  readonly project: string;
  readonly type: string;
  readonly description: string | null;
  readonly stale: boolean;
  readonly impressionData: boolean;
  readonly createdAt: string;
  readonly createdBy: Author;
  readonly archivedAt: string | null;
  readonly tags: readonly Tag[];
  readonly dependencies: readonly Dependency[];
  /** The current stage, which is one of `stages`. */
  readonly lifecycle: Lifecycle;
  /** All stages that the feature has entered. */
  readonly stages: readonly Stage[];
  readonly links: readonly FeatureLink[];
  /** The saved charts of impact metrics, the oldest first. */
  readonly charts: readonly ImpactChart[];
  /** The states that were read, by environment. */
  readonly environments: ReadonlyMap<string, FeatureEnvironment>;
  /** The names of the features that depend on this one. */
  readonly children: readonly string[];
}

/** Fields of a new feature. */
export type FeatureCreation = Partial<Feature> &
  Pick<Feature, 'name' | 'project' | 'createdAt'> & { readonly createdBy: Author };

/** Builds a new feature; omitted fields are empty, off, or Unleash's defaults. */
export function buildNewFeature(creation: FeatureCreation): Feature {
  const { createdAt, createdBy, archivedAt = null } = creation;
  const life = buildNewLife(createdAt);
  return {
    type: 'release',
    description: null,
    stale: false,
    impressionData: false,
    archivedAt,
    tags: [],
    dependencies: [],
    links: [],
    charts: [],
    ...(archivedAt === null ? life : enterStage(life, { stage: 'archived', enteredStageAt: createdAt })),
    environments: new Map(),
    children: [],
    ...creation,
    createdBy: { id: createdBy.id, name: createdBy.name },
  };
}

/** The state of a feature in an environment of its project without a stored state. */
const emptyState: FeatureEnvironment = { enabled: false, strategies: [], variants: [] };

/** Returns the state of a feature in an environment; off and empty if none is stored. */
export function environmentOfFeature(feature: Feature, environment: string): FeatureEnvironment {
  return feature.environments.get(environment) ?? emptyState;
}

/** Returns a copy of the feature with the given state in one environment. */
export function withFeatureEnvironment(feature: Feature, environment: string, state: FeatureEnvironment): Feature {
  return { ...feature, environments: new Map(feature.environments).set(environment, state) };
}

/** Returns the fields of a feature that events show, under Unleash's names. */
export function metadataOf(feature: Feature) {
  const { name, description, type, project, stale, createdAt, impressionData, archivedAt } = feature;
  const archived = archivedAt !== null;
  return { name, description, type, project, stale, createdAt, lastSeenAt: null, impressionData, archivedAt, archived };
}

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

/** A feature and the project in which a path expects it. */
export interface FeaturePath {
  readonly projectId: string;
  readonly featureName: string;
}
