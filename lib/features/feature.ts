import type { Author } from '../events/actor.ts';
import type { Tag } from '../tags/tag-schema.ts';
import type { ImpactChart } from './chart.ts';
import { emptyState, type FeatureEnvironment } from './environments/feature-environment.ts';
import type { Dependency, FeatureLink } from './feature-schema.ts';
import { buildNewLife, enterStage, type Life } from './lifecycle/lifecycle.ts';

/** A feature with all its parts. */
export interface Feature extends Life {
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

/** A feature and the project in which a path expects it. */
export interface FeaturePath {
  readonly projectId: string;
  readonly featureName: string;
}
