import type { NewEvent } from '../../events/event.ts';
import { type Project, requireEnvironment } from '../../projects/projects.ts';
import type { Request } from '../../request.ts';
import { type LiveChangePlan, planLiveChange } from '../change-live.ts';
import { environmentOfFeature, type Feature, type FeaturePath, withFeatureEnvironment } from '../feature.ts';
import { loadFeatureIn } from '../feature-store.ts';
import type { EnvironmentSummary } from '../items/environment-summary.ts';
import type { FeatureEnvironment } from './feature-environment.ts';

/** The path of a feature in an environment of its project. */
export interface EnvironmentPath extends FeaturePath {
  readonly environment: string;
}

/** The state of a feature in an environment, and the facts that a decision on it depends on. */
export interface EnvironmentState<Facts> {
  readonly project: Project;
  readonly feature: Feature;
  readonly state: FeatureEnvironment;
  readonly summary: EnvironmentSummary | undefined;
  readonly facts: Facts;
}

interface StateDecision<T> {
  readonly state: FeatureEnvironment;
  readonly events: readonly NewEvent[];
  readonly value: T;
}

/** A planned change of the state of a live feature in one environment. */
export interface EnvironmentChangePlan<Facts, T> extends Pick<LiveChangePlan<Facts, T>, 'likelyEvents' | 'read'> {
  /** Pure; a decision without events changes nothing. */
  readonly decide: (current: EnvironmentState<Facts>, at: string) => StateDecision<T>;
}

/**
 * Plans a change of a live feature in one environment of its project, for `changeFeature`.
 * @throws ApiError 404 for an unknown project, environment or feature; what `read` and `decide` throw.
 */
export function planEnvironmentChange<Facts, T>(
  request: Request,
  path: EnvironmentPath,
  { decide, ...reading }: EnvironmentChangePlan<Facts, T>,
) {
  const { featureName, environment } = path;
  return planLiveChange<Facts, T>(request, path, {
    ...reading,
    load: () => loadFeatureIn(request, featureName, [environment]),
    environmentsIn: (project) => [requireEnvironment(project, environment).name],
    decide: ({ project, stored, feature, facts }, at) => {
      const before = environmentOfFeature(feature, environment);
      const summary = stored.revision.summaries.get(environment);
      const { state, events, value } = decide({ project, feature, state: before, summary, facts }, at);
      return { after: withFeatureEnvironment(feature, environment, state), events, value };
    },
  });
}
