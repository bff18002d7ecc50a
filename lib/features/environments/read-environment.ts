import { loadProject, requireEnvironment } from '../../projects/projects.ts';
import type { Request } from '../../request.ts';
import { retryLostRaces } from '../../store/transactions/retry.ts';
import type { Versioned } from '../../store/transactions/versioned.ts';
import { environmentOfFeature, type FeaturePath } from '../feature.ts';
import { loadFeature, loadFeatureInWithRetry } from '../feature-store.ts';
import { requireFeature } from '../require-feature.ts';
import type { StrategyPath } from '../strategies/change-strategies.ts';
import { requireStrategy, strategyViewOf } from '../strategies/strategy.ts';
import type { StrategyView } from '../strategies/strategy-schema.ts';
import type { EnvironmentPath } from './change-environment.ts';
import { listLiveStrategies } from './feature-environment.ts';
import type { FeatureVariant } from './variant-schema.ts';

/**
 * Lists the variants of a feature in an environment.
 * @throws ApiError 404 for an unknown project, environment or feature.
 */
export async function listVariants(
  request: Request,
  path: EnvironmentPath,
): Promise<Versioned<readonly FeatureVariant[]>> {
  const { value, version } = await readEnvironment(request, path);
  return { value: value.variants, version };
}

/**
 * Lists the variants of a feature in the first environment of its project.
 * @throws ApiError 404 for an unknown project or feature.
 */
export async function listVariantsOfFeature(
  request: Request,
  { projectId, featureName }: FeaturePath,
): Promise<Versioned<readonly FeatureVariant[]>> {
  const [project, stored] = await Promise.all([
    loadProject(request, projectId),
    retryLostRaces(request, () => loadFeature(request, featureName)),
  ]);
  const { feature, revision } = requireFeature(stored, featureName, projectId);
  const [first] = project.environments;
  const value = first === undefined ? [] : environmentOfFeature(feature, first.name).variants;
  return { value, version: revision.version };
}

/**
 * Lists the live strategies of a feature in an environment, in the order in which SDKs get them: those of the active milestone of its
 * plan come first.
 * @throws ApiError 404 for an unknown project, environment or feature.
 */
export async function listStrategies(
  request: Request,
  path: EnvironmentPath,
): Promise<Versioned<readonly StrategyView[]>> {
  const { value, version } = await readEnvironment(request, path);
  return { value: listLiveStrategies(value).map(strategyViewOf), version };
}

/**
 * Reads one strategy of a feature in an environment.
 * @throws ApiError 404 for an unknown project, environment, feature or strategy.
 */
export async function getStrategy(request: Request, path: StrategyPath): Promise<Versioned<StrategyView>> {
  const { value, version } = await readEnvironment(request, path);
  return { value: strategyViewOf(requireStrategy(listLiveStrategies(value), path.strategyId)), version };
}

/**
 * Reads the state of a feature, archived or not, in an environment of its project.
 * @throws ApiError 404 for an unknown project, environment or feature.
 */
export async function readEnvironment(request: Request, { projectId, featureName, environment }: EnvironmentPath) {
  const [project, stored] = await Promise.all([
    loadProject(request, projectId),
    loadFeatureInWithRetry(request, featureName, [environment]),
  ]);
  requireEnvironment(project, environment);
  const required = requireFeature(stored, featureName, projectId);
  const { feature, revision } = required;
  return { stored: required, value: environmentOfFeature(feature, environment), version: revision.version };
}
