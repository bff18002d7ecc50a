import type { FlagRequest } from '../../entity/effects.ts';
import { notFound } from '../../errors.ts';
import type { Actor } from '../../events/actor.ts';
import { changeFeature } from '../change-feature.ts';
import { environmentOfFeature, withFeatureEnvironment } from '../feature.ts';
import { featureStrategiesRemoved, featureSwitched, featureVariantsUpdated } from '../feature-events.ts';
import { loadFeatureIn } from '../feature-store.ts';
import { planRemoved } from '../plans/plan-events.ts';
import { safeguardDeleted } from '../plans/safeguard-events.ts';

/** Strategies per transaction: each has up to six references (to five segments and a type), which are writes, too. */
export const strategiesPerChange = 5;

/**
 * Removes the strategies, variants, plan and safeguards of a feature, archived or not, in an environment that is being deleted, and
 * switches the feature off there.
 * @throws ApiError 404 for a feature that was deleted meanwhile.
 */
export async function emptyEnvironment(request: FlagRequest, actor: Actor, name: string, environment: string) {
  while (!(await removeChunk(request, actor, name, environment)));
}

/** Removes as much as fits into a transaction. Returns true if the environment is empty then. */
async function removeChunk(request: FlagRequest, actor: Actor, name: string, environment: string): Promise<boolean> {
  const { value } = await changeFeature(request, actor, {
    name,
    likelyEvents: strategiesPerChange + 2,
    read: async () => ({ stored: await loadFeatureIn(request, name, [environment]) }),
    decide: ({ stored }) => {
      if (stored === undefined) throw notFound('feature', name);
      const before = environmentOfFeature(stored.feature, environment);
      const { plan, safeguards = [] } = before;
      // A plan alone can have as many references as fit into a transaction.
      const removed = plan === undefined ? before.strategies.slice(0, strategiesPerChange) : [];
      const strategies = before.strategies.slice(removed.length);
      const after = withFeatureEnvironment(stored.feature, environment, { enabled: false, strategies, variants: [] });
      const events = [
        ...(before.enabled ? [featureSwitched(after, environment, false)] : []),
        ...(plan === undefined ? [] : [planRemoved(after, environment, plan)]),
        ...safeguards.map((safeguard) => safeguardDeleted(after, { environment }, safeguard)),
        ...featureStrategiesRemoved(after, environment, before.strategies, removed),
        ...(before.variants.length > 0 ? [featureVariantsUpdated(after, environment, before.variants)] : []),
      ];
      const isEmpty = strategies.length === 0;
      return { stored, after, removedEnvironment: isEmpty ? environment : undefined, events, value: isEmpty };
    },
  });
  return value;
}
