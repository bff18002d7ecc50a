import { withScheme } from '../features/change-links.ts';
import type { FeatureVariant } from '../features/environments/variant-schema.ts';
import type { Dependency, FeatureLink } from '../features/feature-schema.ts';
import { defaultContent, strategyContent } from '../features/strategies/strategy.ts';
import type { ExportedStrategy, StrategyInput } from '../features/strategies/strategy-input-schema.ts';
import type { StrategyContent } from '../features/strategies/strategy-schema.ts';
import type { Project } from '../projects/projects.ts';
import type { Tag } from '../tags/tag-schema.ts';
import { tagIdentity } from '../tags/tags.ts';
import { distinctBy } from '../values/lists.ts';
import { byFeature } from './by-feature.ts';
import type { ExportData, ImportedFeature, ImportedTag } from './import-data-schema.ts';

/** Feature as a file describes it; what the file leaves out is undefined and stays as it is. */
export interface WantedFeature {
  readonly fields: ImportedFeature;
  readonly enabled?: boolean;
  readonly variants?: readonly FeatureVariant[];
  readonly tags?: readonly Tag[];
  readonly strategies: readonly (StrategyContent & { readonly sortOrder: number })[];
  /** Strategy that it gets if it is on without an enabled one. */
  readonly defaultStrategy: StrategyContent;
  readonly dependencies: readonly Dependency[];
  readonly links?: readonly Pick<FeatureLink, 'url' | 'title'>[];
}

/** Target that the strategies of a file are adapted to. */
export interface ImportTarget {
  readonly project: Project;
  readonly defaultStrategy: StrategyInput | undefined;
  /** The segments' ids in the file and here. */
  readonly segmentIds: ReadonlyMap<number, number>;
}

/** Gathers the parts of a file by feature, in the order of its features. */
export function groupWantedFeatures(data: ExportData, target: ImportTarget): WantedFeature[] {
  return byFeature(data).map(
    ({ fields, featureStrategies, featureEnvironments: [state], featureTags, dependencies, links }) => {
      const defaults = { featureName: fields.name, defaultStickiness: target.project.defaultStickiness };
      return {
        fields,
        ...(state !== undefined && { enabled: state.enabled }),
        ...(state?.variants !== undefined && { variants: state.variants }),
        ...(featureTags !== undefined && { tags: distinctBy(featureTags.map(tagOf), tagIdentity) }),
        strategies: featureStrategies.map((strategy, index) => ({
          ...strategyContent(withSegmentsOf(strategy, target), defaults),
          sortOrder: strategy.sortOrder ?? index,
        })),
        defaultStrategy: defaultContent(target.defaultStrategy, defaults),
        dependencies: distinctBy(
          dependencies.flatMap((each) => each.dependencies),
          ({ feature }) => feature,
        ),
        ...(links !== undefined && {
          links: links.flatMap((each) => each.links).map(({ url, title }) => ({ url: withScheme(url), title })),
        }),
      };
    },
  );
}

function withSegmentsOf(strategy: ExportedStrategy, { segmentIds }: ImportTarget): ExportedStrategy {
  if (strategy.segments === undefined) return strategy;
  return { ...strategy, segments: strategy.segments.map((id) => segmentIds.get(id) ?? id) };
}

/** Returns the tag that an import names, by its newer or its deprecated fields. */
export function tagOf({ tagType, tagValue, type, value }: ImportedTag): Tag {
  return { type: tagType ?? type ?? 'simple', value: tagValue ?? value ?? '' };
}
