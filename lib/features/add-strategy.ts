import { randomUUID } from 'node:crypto';
import { invalid } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import { loadProject, requireEnvironment } from '../projects/projects.ts';
import { type Strategy, type StrategyInput, strategiesMax } from '../schemas/strategy.ts';
import { nextSortOrder, strategyContent } from '../strategies/strategy.ts';
import { assertReferences, loadStrategyReferences } from '../strategies/strategy-references.ts';
import type { Table } from '../table/table.ts';
import type { Versioned } from '../table/versioned.ts';
import { changeFeature } from './change-feature.ts';
import { environmentOfFeature, withFeatureEnvironment } from './feature.ts';
import { featureStrategyAdded } from './feature-events.ts';
import { loadFeatureIn } from './feature-store.ts';
import { requireFeature, requireLive } from './require-feature.ts';

export interface FeaturePlace {
  readonly projectId: string;
  readonly featureName: string;
  readonly environment: string;
}

/**
 * Adds a strategy to a feature in an environment and answers it as it is stored: at the given place or after all others.
 * @throws ApiError 404 for an unknown project, environment, feature or segment; 400 for what the strategy cannot be, and
 * for one too many; 412 by `If-Match`.
 */
export function addStrategy(
  table: Table,
  actor: Actor,
  { projectId, featureName, environment }: FeaturePlace,
  input: StrategyInput,
): Promise<Versioned<Strategy>> {
  return changeFeature(table, actor, featureName, {
    read: async () => {
      const [project, stored, references] = await Promise.all([
        loadProject(table, projectId),
        loadFeatureIn(table, featureName, [environment]),
        loadStrategyReferences(table, input),
      ]);
      return { project, stored, references };
    },
    decide: ({ project, stored: found, references }) => {
      requireEnvironment(project, environment);
      const stored = requireLive(requireFeature(found, featureName, projectId));
      assertReferences(input, references, projectId);
      const state = environmentOfFeature(stored.feature, environment);
      if (state.strategies.length >= strategiesMax) {
        throw invalid(`A feature has at most ${strategiesMax} strategies in an environment.`);
      }
      const content = strategyContent(input, { featureName, defaultStickiness: project.defaultStickiness });
      const sortOrder = input.sortOrder ?? nextSortOrder(state.strategies);
      const value = { id: randomUUID(), ...content, sortOrder };
      const strategies = [...state.strategies, value];
      const after = withFeatureEnvironment(stored.feature, environment, { ...state, strategies });
      return { stored, after, events: [featureStrategyAdded(after, environment, value)], value };
    },
  });
}
