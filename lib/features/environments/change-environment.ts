import type { NewEvent } from '../../events/event.ts';
import { type Project, requireEnvironment } from '../../projects/projects.ts';
import type { Request } from '../../request.ts';
import { type ChangeOfLive, planLiveChange } from '../change-live.ts';
import { environmentOfFeature, type Feature, type FeatureEnvironment, withFeatureEnvironment } from '../feature.ts';
import { loadFeatureIn } from '../feature-store.ts';
import type { MetadataPlace } from '../update-feature.ts';

/** A feature in an environment of its project. */
export interface FeaturePlace extends MetadataPlace {
  readonly environment: string;
}

/** State of a feature in an environment, with the other facts that a decision on it depends on. */
export interface FoundState<More> {
  readonly project: Project;
  readonly feature: Feature;
  readonly state: FeatureEnvironment;
  readonly more: More;
}

interface StateDecision<T> {
  readonly state: FeatureEnvironment;
  readonly events: readonly NewEvent[];
  readonly value: T;
}

export interface ChangeOfState<More, T> extends Pick<ChangeOfLive<More, T>, 'likelyEvents' | 'read'> {
  /** Pure; a decision without events changes nothing. */
  readonly decide: (found: FoundState<More>) => StateDecision<T>;
}

/**
 * Makes the change of a live feature that is about one environment of its project.
 * @throws ApiError 404 for an unknown project, environment or feature; what `read` and `decide` throw.
 */
export function inEnvironment<More, T>(
  request: Request,
  place: FeaturePlace,
  { decide, ...reading }: ChangeOfState<More, T>,
) {
  const { featureName, environment } = place;
  return planLiveChange<More, T>(request, place, {
    ...reading,
    load: () => loadFeatureIn(request, featureName, [environment]),
    environmentsIn: (project) => [requireEnvironment(project, environment).name],
    decide: ({ project, feature, more }) => {
      const before = environmentOfFeature(feature, environment);
      const { state, events, value } = decide({ project, feature, state: before, more });
      return { after: withFeatureEnvironment(feature, environment, state), events, value };
    },
  });
}
