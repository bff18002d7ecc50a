import { withScheme } from '../features/change-links.ts';
import type { FeatureVariant } from '../features/environments/variant-schema.ts';
import type { Dependency, FeatureLink } from '../features/feature-schema.ts';
import { buildDefaultContent, buildStrategyContent } from '../features/strategies/strategy.ts';
import type { ExportedStrategy, StrategyInput } from '../features/strategies/strategy-input-schema.ts';
import type { StrategyContent } from '../features/strategies/strategy-schema.ts';
import type { Project } from '../projects/projects.ts';
import type { Tag } from '../tags/tag-schema.ts';
import { tagIdentity } from '../tags/tags.ts';
import { distinctBy } from '../values/lists.ts';
import { groupByFeature } from './by-feature.ts';
import type { ExportData, ImportedFeature, ImportedTag } from './import-data-schema.ts';

/** A feature as a file describes it. A property that the file omits is undefined, and stays as it is. */
export interface WantedFeature {
  readonly fields: ImportedFeature;
  readonly enabled?: boolean;
  readonly variants?: readonly FeatureVariant[];
  readonly tags?: readonly Tag[];
  readonly strategies: readonly (StrategyContent & { readonly sortOrder: number })[];
  /** The strategy that the feature gets if it is on without an enabled strategy. */
  readonly defaultStrategy: StrategyContent;
  readonly dependencies: readonly Dependency[];
  readonly links?: readonly Pick<FeatureLink, 'url' | 'title'>[];
}

/** The target of the strategies of a file. */
export interface ImportTarget {
  readonly project: Project;
  readonly defaultStrategy: StrategyInput | undefined;
  /** The ids of segments here by their ids in the file. */
  readonly segmentIds: ReadonlyMap<number, number>;
}

/** Gathers the content of a file by feature, in the order of its features. */
export function groupWantedFeatures(data: ExportData, target: ImportTarget): WantedFeature[] {
  return groupByFeature(data).map(
    ({ fields, featureStrategies, featureEnvironments: [state], featureTags, dependencies, links }) => {
      const defaults = { featureName: fields.name, defaultStickiness: target.project.defaultStickiness };
      return {
        fields,
        ...(state !== undefined && { enabled: state.enabled }),
        ...(state?.variants !== undefined && { variants: state.variants }),
        ...(featureTags !== undefined && { tags: distinctBy(featureTags.map(tagOf), tagIdentity) }),
        strategies: featureStrategies.map((strategy, index) => ({
          ...buildStrategyContent(withSegmentIds(strategy, target), defaults),
          sortOrder: strategy.sortOrder ?? index,
        })),
        defaultStrategy: buildDefaultContent(target.defaultStrategy, defaults),
        dependencies: distinctBy(
          dependencies.flatMap((item) => item.dependencies),
          ({ feature }) => feature,
        ),
        ...(links !== undefined && {
          links: links.flatMap((item) => item.links).map(({ url, title }) => ({ url: withScheme(url), title })),
        }),
      };
    },
  );
}

function withSegmentIds(strategy: ExportedStrategy, { segmentIds }: ImportTarget): ExportedStrategy {
  if (strategy.segments === undefined) return strategy;
  return { ...strategy, segments: strategy.segments.map((id) => segmentIds.get(id) ?? id) };
}

/** Returns a tag of a file from its current or its deprecated fields. */
export function tagOf({ tagType, tagValue, type, value }: ImportedTag): Tag {
  return { type: tagType ?? type ?? 'simple', value: tagValue ?? value ?? '' };
}
