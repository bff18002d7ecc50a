import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import type { FeatureChangeInput } from '../change-requests/plan/base.ts';
import { invalid, invalidRequest } from '../errors.ts';
import { type FeatureVariant, newFeatureVariants } from '../features/environments/variant-schema.ts';
import { environmentOfFeature, type Feature } from '../features/feature.ts';
import { withFinalWeights } from '../features/strategies/strategy.ts';
import { strategiesMax } from '../features/strategies/strategy-schema.ts';

/**
 * Returns the changes that turn a feature into what an import wants of it where changes need approval. What is added comes
 * before what is removed, so that a feature that stays on is never without a strategy, unless that makes too many of them.
 * @param before the feature with all that needs no approval.
 * @throws ApiError 400 for what cannot be asked for.
 */
export function planRequestedChanges(before: Feature, after: Feature, environment: string): FeatureChangeInput[] {
  const feature = after.name;
  const [old, next] = [environmentOfFeature(before, environment), environmentOfFeature(after, environment)];
  const [had, has] = [old, next].map(({ strategies }) => new Map(strategies.map((each) => [each.id, each])));
  const moved = next.strategies.filter(({ id, sortOrder }) => had?.has(id) && had.get(id)?.sortOrder !== sortOrder);
  const added = next.strategies.filter(({ id }) => !had?.has(id));
  const removed = old.strategies.filter(({ id }) => !has?.has(id));
  const removedFirst = removed.splice(0, Math.max(0, old.strategies.length + added.length - strategiesMax));
  const left = old.strategies.filter((each) => !removedFirst.includes(each));
  // Without an enabled strategy it is off.
  const isOn = old.enabled && (removedFirst.length === 0 || left.some(({ disabled }) => !disabled));
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
    ...askedVariants(feature, old.variants, next.variants),
    ...(isOn === next.enabled
      ? []
      : [{ feature, action: 'updateEnabled' as const, payload: { enabled: next.enabled } }]),
    ...askedDependency(before, after),
    ...(after.archivedAt !== null && before.archivedAt === null
      ? [{ feature, action: 'archiveFeature' as const }]
      : []),
  ];
}

/** @throws ApiError 400 for several parents, each of which would replace the one before. */
function askedDependency(before: Feature, { name: feature, dependencies }: Feature): FeatureChangeInput[] {
  const added = dependencies.filter((each) => !before.dependencies.some((known) => isDeepStrictEqual(known, each)));
  if (added.length > 0 && dependencies.length > 1) {
    const message = `The feature "${feature}" would depend on several others, which cannot be asked for.`;
    throw invalid(message, 'data.dependencies');
  }
  return added.map((payload) => ({ feature, action: 'addDependency', payload }));
}

/** @throws ApiError 400 for variants that a feature can be given by no direct change. */
function askedVariants(
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
  // A file may leave out what they have once they are asked for.
  if (isDeepStrictEqual(before, withFinalWeights(output))) return [];
  return [{ feature, action: 'patchVariant', payload: { variants: output } }];
}
