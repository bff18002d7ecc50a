import { LostRace } from '../table/lost-race.ts';
import type { Feature, FeatureEnvironment } from './feature.ts';

/** A feature's own fields as the store holds them. */
export interface FeatureItem
  extends Omit<Feature, 'tags' | 'dependencies' | 'lifecycle' | 'environments' | 'children'> {
  /** JSON: Tag[]. */
  readonly tags: string;
  /** JSON: Dependency[]. */
  readonly dependencies: string;
  /** JSON: Lifecycle. */
  readonly lifecycle: string;
  /** Raised by every change of anything that belongs to the feature. */
  readonly version: number;
  readonly lastEventId: number;
  readonly eventCount: number;
  /** JSON: pairs of an environment and the version that wrote its item. */
  readonly environmentVersions: string;
}

/** A feature's state in one environment as the store holds it. */
export interface FeatureEnvironmentItem {
  readonly enabled: boolean;
  /** JSON: Strategy[]. */
  readonly strategies: string;
  /** JSON: FeatureVariant[]. */
  readonly variants: string;
  /** The version of the feature that wrote it. */
  readonly version: number;
}

/** What a change is conditioned on, and what it counts on from. */
export interface Revision {
  readonly version: number;
  readonly lastEventId: number;
  readonly eventCount: number;
  readonly environmentVersions: ReadonlyMap<string, number>;
}

/** A feature as it was read. */
export interface StoredFeature {
  readonly feature: Feature;
  readonly revision: Revision;
}

/**
 * Puts together what was read. The items of one feature are read one after the other, so a transaction can come in
 * between: an environment's item that the feature's own does not know of is the sign of it.
 * @throws LostRace when the items are not of one moment.
 */
export function featureFrom(
  item: FeatureItem,
  environmentItems: ReadonlyMap<string, FeatureEnvironmentItem | undefined>,
  children: readonly string[],
): StoredFeature {
  const environmentVersions = new Map<string, number>(JSON.parse(item.environmentVersions));
  const environments = new Map<string, FeatureEnvironment>();
  for (const [environment, state] of environmentItems) {
    if (state?.version !== environmentVersions.get(environment)) throw new LostRace();
    if (state !== undefined) environments.set(environment, featureEnvironmentFrom(state));
  }
  const { version, lastEventId, eventCount } = item;
  return {
    feature: {
      name: item.name,
      project: item.project,
      type: item.type,
      description: item.description,
      stale: item.stale,
      impressionData: item.impressionData,
      createdAt: item.createdAt,
      archivedAt: item.archivedAt,
      tags: JSON.parse(item.tags),
      dependencies: JSON.parse(item.dependencies),
      lifecycle: JSON.parse(item.lifecycle),
      environments,
      children,
    },
    revision: { version, lastEventId, eventCount, environmentVersions },
  };
}

function featureEnvironmentFrom({ enabled, strategies, variants }: FeatureEnvironmentItem): FeatureEnvironment {
  return { enabled, strategies: JSON.parse(strategies), variants: JSON.parse(variants) };
}

export function featureItem(feature: Feature, revision: Revision): FeatureItem {
  const { environments: _environments, children: _children, tags, dependencies, lifecycle, ...fields } = feature;
  const { environmentVersions, ...counts } = revision;
  return {
    ...fields,
    tags: JSON.stringify(tags),
    dependencies: JSON.stringify(dependencies),
    lifecycle: JSON.stringify(lifecycle),
    ...counts,
    environmentVersions: JSON.stringify([...environmentVersions]),
  };
}

export function featureEnvironmentItem(state: FeatureEnvironment, version: number): FeatureEnvironmentItem {
  return {
    enabled: state.enabled,
    strategies: JSON.stringify(state.strategies),
    variants: JSON.stringify(state.variants),
    version,
  };
}
