import { isDeepStrictEqual } from 'node:util';
import type { ChangeInput } from '../change-requests/change-request-schema.ts';
import type { FeatureVariant } from '../features/environments/variant-schema.ts';
import { environmentOfFeature, type Feature } from '../features/feature.ts';

/**
 * Returns the changes that turn a feature into what an import wants of it where changes need approval. What is added comes
 * before what is removed, so that a feature that stays on is never without a strategy.
 * @param before the feature with all that needs no approval.
 */
export function askedChanges(before: Feature, after: Feature, environment: string): ChangeInput[] {
  const feature = after.name;
  const [old, next] = [environmentOfFeature(before, environment), environmentOfFeature(after, environment)];
  const [had, has] = [old, next].map(({ strategies }) => new Map(strategies.map((each) => [each.id, each])));
  const moved = next.strategies.filter(({ id, sortOrder }) => had?.has(id) && had.get(id)?.sortOrder !== sortOrder);
  return [
    ...next.strategies.flatMap(({ id, featureName: _of, ...payload }): ChangeInput[] =>
      had?.has(id) ? [] : [{ feature, action: 'addStrategy', payload }],
    ),
    ...old.strategies.flatMap(({ id }): ChangeInput[] =>
      has?.has(id) ? [] : [{ feature, action: 'deleteStrategy', payload: { id } }],
    ),
    ...(moved.length === 0
      ? []
      : [
          {
            feature,
            action: 'reorderStrategy' as const,
            payload: moved.map(({ id, sortOrder }) => ({ id, sortOrder })),
          },
        ]),
    ...(isDeepStrictEqual(old.variants, next.variants)
      ? []
      : [{ feature, action: 'patchVariant' as const, payload: { variants: next.variants.map(withDefaults) } }]),
    ...(old.enabled === next.enabled
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
