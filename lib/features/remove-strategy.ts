import { notFound } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import { loadProject, requireEnvironment } from '../projects/projects.ts';
import type { Table } from '../table/table.ts';
import type { Versioned } from '../table/versioned.ts';
import type { FeaturePlace } from './add-strategy.ts';
import { changeFeature } from './change-feature.ts';
import { environmentOfFeature, withFeatureEnvironment } from './feature.ts';
import { featureStrategyRemoved, featureSwitched } from './feature-events.ts';
import { loadFeatureIn } from './feature-store.ts';
import { requireFeature, requireLive } from './require-feature.ts';

/**
 * Removes a strategy from a feature in an environment. The last one that is enabled takes the feature with it: enabled
 * without a strategy, it would be on for everybody or for nobody, depending on the SDK.
 * @throws ApiError 404 for an unknown project, environment, feature or strategy; 412 by `If-Match`.
 */
export function removeStrategy(
  table: Table,
  actor: Actor,
  { projectId, featureName, environment, strategyId }: FeaturePlace & { readonly strategyId: string },
): Promise<Versioned<undefined>> {
  return changeFeature(table, actor, featureName, {
    likelyEvents: 2,
    read: async () => {
      const [project, stored] = await Promise.all([
        loadProject(table, projectId),
        loadFeatureIn(table, featureName, [environment]),
      ]);
      return { project, stored };
    },
    decide: ({ project, stored: found }) => {
      requireEnvironment(project, environment);
      const stored = requireLive(requireFeature(found, featureName, projectId));
      const state = environmentOfFeature(stored.feature, environment);
      const removed = state.strategies.find(({ id }) => id === strategyId);
      if (removed === undefined) throw notFound('strategy', strategyId);
      const strategies = state.strategies.filter((strategy) => strategy !== removed);
      const goesOff = state.enabled && strategies.every(({ disabled }) => disabled);
      const enabled = state.enabled && !goesOff;
      const after = withFeatureEnvironment(stored.feature, environment, { ...state, strategies, enabled });
      return {
        stored,
        after,
        events: [
          featureStrategyRemoved(after, environment, removed),
          ...(goesOff ? [featureSwitched(after, environment, false)] : []),
        ],
        value: undefined,
      };
    },
  });
}
