import type { NewEvent } from '../../events/event.ts';
import { loadProject, type Project, requireEnvironment } from '../../projects/projects.ts';
import type { Request } from '../../request.ts';
import { retryLostRaces } from '../../store/transactions/retry.ts';
import type { Versioned } from '../../store/transactions/versioned.ts';
import type { ChangeOfFeature } from '../change-feature.ts';
import { environmentOfFeature, type Feature, type FeatureEnvironment, withFeatureEnvironment } from '../feature.ts';
import { loadFeature, loadFeatureIn, readFeatureIn } from '../feature-store.ts';
import type { StoredFeature } from '../items/feature-items.ts';
import { requireFeature, requireLive } from '../require-feature.ts';
import type { StrategyPlace } from '../strategies/change-strategies.ts';
import { inOrder, requireStrategy } from '../strategies/strategy.ts';
import type { Strategy } from '../strategies/strategy-schema.ts';
import type { MetadataPlace } from '../update-feature.ts';
import type { FeatureVariant } from './variant-schema.ts';

/** A feature in an environment of its project. */
export interface FeaturePlace {
  readonly projectId: string;
  readonly featureName: string;
  readonly environment: string;
}

/** State of a feature in an environment, with the other facts that a decision on it depends on. */
export interface FoundState<More> {
  readonly project: Project;
  readonly feature: Feature;
  readonly state: FeatureEnvironment;
  readonly more: More;
}

/** The same as it was read, before anything is required of it. */
interface FoundInEnvironment<More> extends Pick<FoundState<More>, 'project' | 'more'> {
  readonly stored: StoredFeature | undefined;
}

interface StateDecision<T> {
  readonly state: FeatureEnvironment;
  readonly events: readonly NewEvent[];
  readonly value: T;
}

export interface ChangeOfState<More, T> {
  readonly likelyEvents?: number;
  /** Reads further facts for the decision; reads started synchronously share the request for the feature. */
  readonly read: (stored: Promise<StoredFeature | undefined>) => Promise<More>;
  /** Pure; a decision without events changes nothing. */
  readonly decide: (found: FoundState<More>) => StateDecision<T>;
}

/**
 * Makes the change of a live feature that is about one environment of its project.
 * @throws ApiError 404 for an unknown project, environment or feature; what `read` and `decide` throw.
 */
export function inEnvironment<More, T>(
  request: Request,
  { projectId, featureName, environment }: FeaturePlace,
  { likelyEvents, read, decide }: ChangeOfState<More, T>,
): ChangeOfFeature<FoundInEnvironment<More>, T> {
  return {
    name: featureName,
    ...(likelyEvents !== undefined && { likelyEvents }),
    read: async () => {
      const loading = loadFeatureIn(request, featureName, [environment]);
      const [project, stored, more] = await Promise.all([loadProject(request, projectId), loading, read(loading)]);
      return { project, stored, more };
    },
    decide: ({ project, stored: found, more }) => {
      requireEnvironment(project, environment);
      const stored = requireLive(requireFeature(found, featureName, projectId));
      const { feature } = stored;
      const { state, events, value } = decide({
        project,
        feature,
        state: environmentOfFeature(feature, environment),
        more,
      });
      return { stored, after: withFeatureEnvironment(feature, environment, state), events, value };
    },
  };
}

/**
 * Lists the variants of a feature in an environment.
 * @throws ApiError 404 for an unknown project, environment or feature.
 */
export async function listVariants(
  request: Request,
  place: FeaturePlace,
): Promise<Versioned<readonly FeatureVariant[]>> {
  const { value, version } = await readEnvironment(request, place);
  return { value: value.variants, version };
}

/**
 * Lists the variants of a feature in the first environment of its project.
 * @throws ApiError 404 for an unknown project or feature.
 */
export async function listVariantsOfFeature(
  request: Request,
  { projectId, featureName }: MetadataPlace,
): Promise<Versioned<readonly FeatureVariant[]>> {
  const [project, found] = await Promise.all([
    loadProject(request, projectId),
    retryLostRaces(request, () => loadFeature(request, featureName)),
  ]);
  const { feature, revision } = requireFeature(found, featureName, projectId);
  const [first] = project.environments;
  const value = first === undefined ? [] : environmentOfFeature(feature, first.name).variants;
  return { value, version: revision.version };
}

/**
 * Lists the strategies of a feature in an environment, in their order.
 * @throws ApiError 404 for an unknown project, environment or feature.
 */
export async function listStrategies(request: Request, place: FeaturePlace): Promise<Versioned<readonly Strategy[]>> {
  const { value, version } = await readEnvironment(request, place);
  return { value: inOrder(value.strategies), version };
}

/**
 * Reads one strategy of a feature in an environment.
 * @throws ApiError 404 for an unknown project, environment, feature or strategy.
 */
export async function getStrategy(request: Request, place: StrategyPlace): Promise<Versioned<Strategy>> {
  const { value, version } = await readEnvironment(request, place);
  return { value: requireStrategy(value.strategies, place.strategyId), version };
}

/** Reads the state of a feature, archived or not, in an environment of its project. */
async function readEnvironment(
  request: Request,
  { projectId, featureName, environment }: FeaturePlace,
): Promise<Versioned<FeatureEnvironment>> {
  const [project, found] = await Promise.all([
    loadProject(request, projectId),
    readFeatureIn(request, featureName, [environment]),
  ]);
  requireEnvironment(project, environment);
  const { feature, revision } = requireFeature(found, featureName, projectId);
  return { value: environmentOfFeature(feature, environment), version: revision.version };
}
