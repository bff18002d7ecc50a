import { randomUUID } from 'node:crypto';
import { invalid } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import { takeEventIds } from '../events/event-ids.ts';
import { loadProject, requireEnvironment } from '../projects/projects.ts';
import { type Strategy, type StrategyInput, strategiesMax } from '../schemas/strategy.ts';
import { nextSortOrder, type StrategyContent, strategyContent } from '../strategies/strategy.ts';
import { assertReferences, loadStrategyReferences } from '../strategies/strategy-references.ts';
import { keys } from '../table/keys.ts';
import { retrySerially } from '../table/retry.ts';
import type { Table } from '../table/table.ts';
import { requireVersion, type Versioned } from '../table/versioned.ts';
import { environmentOfFeature, type Feature, withFeatureEnvironment } from './feature.ts';
import { commitFeature } from './feature-change.ts';
import { featureStrategyAdded } from './feature-events.ts';
import { loadFeatureIn } from './feature-store.ts';
import { requireFeature, requireLive } from './require-feature.ts';

export interface FeaturePlace {
  readonly projectId: string;
  readonly featureName: string;
  readonly environment: string;
}

/**
 * Adds a strategy to a feature in an environment and answers it as it is stored.
 * @throws ApiError 404 for an unknown project, environment, feature or segment; 400 for what the strategy cannot be, and
 * for one too many; 412 for a feature that has none of the expected versions.
 */
export async function addStrategy(
  table: Table,
  actor: Actor,
  { projectId, featureName, environment }: FeaturePlace,
  input: StrategyInput,
): Promise<Versioned<Strategy>> {
  return retrySerially(table, [keys.feature(featureName)], async () => {
    const [project, found, references, ids] = await Promise.all([
      loadProject(table, projectId),
      loadFeatureIn(table, featureName, [environment]),
      loadStrategyReferences(table, input),
      takeEventIds(table, 1),
    ]);
    requireEnvironment(project, environment);
    const stored = requireLive(requireFeature(found, featureName, projectId));
    assertReferences(input, references, projectId);
    requireVersion(table, stored.revision.version, `feature "${featureName}"`);

    const { feature } = stored;
    const content = strategyContent(input, { featureName, defaultStickiness: project.defaultStickiness });
    const strategy = placed(content, feature, environment, input.sortOrder);
    const state = environmentOfFeature(feature, environment);
    if (state.strategies.length >= strategiesMax) {
      throw invalid(`A feature has at most ${strategiesMax} strategies in an environment.`);
    }
    const after = withFeatureEnvironment(feature, environment, {
      ...state,
      strategies: [...state.strategies, strategy],
    });
    const change = { stored, after, events: [featureStrategyAdded(feature, environment, strategy)] };
    return commitFeature(table, actor, change, ids, strategy);
  });
}

/** A strategy with an id of its own, at the given place or after all others. */
function placed(content: StrategyContent, feature: Feature, environment: string, sortOrder?: number): Strategy {
  return {
    id: randomUUID(),
    ...content,
    sortOrder: sortOrder ?? nextSortOrder(environmentOfFeature(feature, environment).strategies),
  };
}
