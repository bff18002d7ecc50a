import { isDeepStrictEqual } from 'node:util';
import type { ChangeInput } from '../change-requests/change-request-schema.ts';
import type { FeatureVariant } from '../features/environments/variant-schema.ts';
import { environmentOfFeature, type Feature } from '../features/feature.ts';
import { withFinalWeights } from '../features/strategies/strategy.ts';
import { strategiesMax } from '../features/strategies/strategy-schema.ts';

/**
 * Returns the changes that turn a feature into what an import wants of it where changes need approval. What is added comes
 * before what is removed, so that a feature that stays on is never without a strategy, unless that makes too many of them.
 * @param before the feature with all that needs no approval.
 */
export function askedChanges(before: Feature, after: Feature, environment: string): ChangeInput[] {
  const feature = after.name;
  const [old, next] = [environmentOfFeature(before, environment), environmentOfFeature(after, environment)];
  const [had, has] = [old, next].map(({ strategies }) => new Map(strategies.map((each) => [each.id, each])));
  const moved = next.strategies.filter(({ id, sortOrder }) => had?.has(id) && had.get(id)?.sortOrder !== sortOrder);
  // Where they are asked for they get these, as a direct change gives them.
  const variants = next.variants.map(withDefaults);
  const added = next.strategies.filter(({ id }) => !had?.has(id));
  const removed = old.strategies.filter(({ id }) => !has?.has(id));
  const removedFirst = removed.splice(0, Math.max(0, old.strategies.length + added.length - strategiesMax));
  const left = old.strategies.filter((each) => !removedFirst.includes(each));
  // Without an enabled strategy it is off.
  const isOn = old.enabled && (removedFirst.length === 0 || left.some(({ disabled }) => !disabled));
  const removal = ({ id }: { readonly id: string }): ChangeInput => ({
    feature,
    action: 'deleteStrategy',
    payload: { id },
  });
  return [
    ...removedFirst.map(removal),
    ...added.map(
      ({ id: _id, featureName: _of, ...payload }): ChangeInput => ({ feature, action: 'addStrategy', payload }),
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
    ...(isDeepStrictEqual(old.variants, next.variants) || isDeepStrictEqual(old.variants, withFinalWeights(variants))
      ? []
      : [{ feature, action: 'patchVariant' as const, payload: { variants } }]),
    ...(isOn === next.enabled
      ? []
      : [{ feature, action: 'updateEnabled' as const, payload: { enabled: next.enabled } }]),
    ...after.dependencies
      .filter((each) => !before.dependencies.some((known) => isDeepStrictEqual(known, each)))
      .map((payload): ChangeInput => ({ feature, action: 'addDependency', payload })),
    ...(after.archivedAt !== null && before.archivedAt === null
      ? [{ feature, action: 'archiveFeature' as const }]
      : []),
  ];
}

function withDefaults(variant: FeatureVariant) {
  return { weightType: 'variable' as const, stickiness: 'default', ...variant };
}
