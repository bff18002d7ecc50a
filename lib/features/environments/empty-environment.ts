import type { FlagRequest } from '../../entity/effects.ts';
import { notFound } from '../../errors.ts';
import type { Actor } from '../../events/actor.ts';
import { changeFeature } from '../change-feature.ts';
import { environmentOfFeature, withFeatureEnvironment } from '../feature.ts';
import { featureStrategyRemoved, featureSwitched, featureVariantsUpdated } from '../feature-events.ts';
import { loadFeatureIn } from '../feature-store.ts';

/** A strategy uses at most five segments and a type, which know of it: the uses of many would not fit a transaction. */
export const strategiesTogether = 5;

/**
 * Removes the strategies and variants that a feature, archived or not, has in an environment that is deleted, and
 * switches it off there.
 * @throws ApiError 404 for a feature that is deleted by now.
 */
export async function emptyEnvironment(request: FlagRequest, actor: Actor, name: string, environment: string) {
  while (!(await removeSome(request, actor, name, environment)));
}

/** Returns true if nothing is left. */
async function removeSome(request: FlagRequest, actor: Actor, name: string, environment: string): Promise<boolean> {
  const { value } = await changeFeature(request, actor, {
    name,
    likelyEvents: strategiesTogether + 2,
    read: async () => ({ stored: await loadFeatureIn(request, name, [environment]) }),
    decide: ({ stored }) => {
      if (stored === undefined) throw notFound('feature', name);
      const before = environmentOfFeature(stored.feature, environment);
      const removed = before.strategies.slice(0, strategiesTogether);
      const strategies = before.strategies.slice(removed.length);
      const after = withFeatureEnvironment(stored.feature, environment, { enabled: false, strategies, variants: [] });
      const events = [
        ...(before.enabled ? [featureSwitched(after, environment, false)] : []),
        ...removed.map((strategy) => featureStrategyRemoved(after, environment, strategy)),
        ...(before.variants.length > 0 ? [featureVariantsUpdated(after, environment, before.variants)] : []),
      ];
      const isEmpty = strategies.length === 0;
      return { stored, after, removedEnvironment: isEmpty ? environment : undefined, events, value: isEmpty };
    },
  });
  return value;
}
