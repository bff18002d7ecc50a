import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import type { FeatureChangeInput } from '../change-requests/plan/base.ts';
import { invalid, invalidRequest } from '../errors.ts';
import { listLiveStrategies } from '../features/environments/feature-environment.ts';
import { type FeatureVariant, newFeatureVariants } from '../features/environments/variant-schema.ts';
import { environmentOfFeature, type Feature } from '../features/feature.ts';
import { withFinalWeights } from '../features/strategies/strategy.ts';
import { strategiesMax } from '../features/strategies/strategy-schema.ts';

/**
 * Lists the changes to request for a feature of an import. Strategies are added before others are removed, so that a feature
 * that stays on is never without a strategy, unless it would have too many for a moment.
 * @param before the feature with all imported changes that need no approval.
 * @throws ApiError 400 for a change that cannot be requested.
 */
export function planRequestedChanges(before: Feature, after: Feature, environment: string): FeatureChangeInput[] {
  const feature = after.name;
  const [old, next] = [environmentOfFeature(before, environment), environmentOfFeature(after, environment)];
  const [had, has] = [old, next].map(
    ({ strategies }) => new Map(strategies.map((strategy) => [strategy.id, strategy])),
  );
  const moved = next.strategies.filter(({ id, sortOrder }) => had?.has(id) && had.get(id)?.sortOrder !== sortOrder);
  const added = next.strategies.filter(({ id }) => !had?.has(id));
  const removed = old.strategies.filter(({ id }) => !has?.has(id));
  const removedFirst = removed.splice(0, Math.max(0, old.strategies.length + added.length - strategiesMax));
  const remaining = old.strategies.filter((strategy) => !removedFirst.includes(strategy));
  // A feature that loses its last enabled strategy is off.
  const isServed = listLiveStrategies({ ...old, strategies: remaining }).some(({ disabled }) => !disabled);
  const isOn = old.enabled && (removedFirst.length === 0 || isServed);
  const removal = ({ id }: { readonly id: string }): FeatureChangeInput => ({
    feature,
    action: 'deleteStrategy',
    payload: { id },
  });
  return [
    ...removedFirst.map(removal),
    ...added.map(
      ({ id: _id, featureName: _of, ...payload }): FeatureChangeInput => ({ feature, action: 'addStrategy', payload }),
    ),
    ...removed.map(removal),
    ...(moved.length === 0
      ? []
      : [
          {
            feature,
            action: 'reorderStrategy' as const,
            payload: moved.map(({ id, sortOrder }) => ({ id, sortOrder })),
          },
        ]),
    ...listVariantChanges(feature, old.variants, next.variants),
    ...(isOn === next.enabled
      ? []
      : [{ feature, action: 'updateEnabled' as const, payload: { enabled: next.enabled } }]),
    ...listDependencyChanges(before, after),
    ...(after.archivedAt !== null && before.archivedAt === null
      ? [{ feature, action: 'archiveFeature' as const }]
      : []),
  ];
}

/** @throws ApiError 400 for several parents: a requested parent replaces the parent before it. */
function listDependencyChanges(before: Feature, { name: feature, dependencies }: Feature): FeatureChangeInput[] {
  const added = dependencies.filter(
    (dependency) => !before.dependencies.some((other) => isDeepStrictEqual(other, dependency)),
  );
  if (added.length > 0 && dependencies.length > 1) {
    const message = `The feature "${feature}" would depend on several others, which a change request cannot do.`;
    throw invalid(message, 'data.dependencies');
  }
  return added.map((payload) => ({ feature, action: 'addDependency', payload }));
}

/** @throws ApiError 400 for variants that a direct change refuses, too. */
function listVariantChanges(
  feature: string,
  before: readonly FeatureVariant[],
  after: readonly FeatureVariant[],
): FeatureChangeInput[] {
  if (isDeepStrictEqual(before, after)) return [];
  const filled = after.map((variant) => ({ ...variant, stickiness: variant.stickiness || 'default' }));
  const { success, output, issues } = v.safeParse(newFeatureVariants, filled);
  if (!success) {
    const problemOf = ({ message }: { readonly message: string }) => ({
      message: `The variants of the feature "${feature}": ${message}`,
      path: 'data.featureEnvironments',
    });
    throw invalidRequest(issues.map(problemOf));
  }
  // A file may omit weights and stickiness, which requested variants have.
  if (isDeepStrictEqual(before, withFinalWeights(output))) return [];
  return [{ feature, action: 'patchVariant', payload: { variants: output } }];
}
