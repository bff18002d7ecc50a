import type { NewEvent } from '../../events/event.ts';
import { type Project, requireEnvironment } from '../../projects/projects.ts';
import type { Request } from '../../request.ts';
import { type LiveChangePlan, planLiveChange } from '../change-live.ts';
import { environmentOfFeature, type Feature, type FeatureEnvironment, withFeatureEnvironment } from '../feature.ts';
import { loadFeatureIn } from '../feature-store.ts';
import type { FeaturePath } from '../update-feature.ts';

/** A feature in an environment of its project. */
export interface EnvironmentPath extends FeaturePath {
  readonly environment: string;
}

/** State of a feature in an environment, with the other facts that a decision on it depends on. */
export interface FoundState<Facts> {
  readonly project: Project;
  readonly feature: Feature;
  readonly state: FeatureEnvironment;
  readonly facts: Facts;
}

interface StateDecision<T> {
  readonly state: FeatureEnvironment;
  readonly events: readonly NewEvent[];
  readonly value: T;
}

export interface ChangeOfState<Facts, T> extends Pick<LiveChangePlan<Facts, T>, 'likelyEvents' | 'read'> {
  /** Pure; a decision without events changes nothing. */
  readonly decide: (found: FoundState<Facts>) => StateDecision<T>;
}

/**
 * Makes the change of a live feature that is about one environment of its project.
 * @throws ApiError 404 for an unknown project, environment or feature; what `read` and `decide` throw.
 */
export function inEnvironment<Facts, T>(
  request: Request,
  path: EnvironmentPath,
  { decide, ...reading }: ChangeOfState<Facts, T>,
) {
  const { featureName, environment } = path;
  return planLiveChange<Facts, T>(request, path, {
    ...reading,
    load: () => loadFeatureIn(request, featureName, [environment]),
    environmentsIn: (project) => [requireEnvironment(project, environment).name],
    decide: ({ project, feature, facts }) => {
      const before = environmentOfFeature(feature, environment);
      const { state, events, value } = decide({ project, feature, state: before, facts });
      return { after: withFeatureEnvironment(feature, environment, state), events, value };
    },
  });
}
