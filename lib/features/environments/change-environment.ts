import type { NewEvent } from '../../events/event.ts';
import { loadProject, type Project, requireEnvironment } from '../../projects/projects.ts';
import type { Request } from '../../request.ts';
import type { ChangeOfFeature } from '../change-feature.ts';
import { environmentOfFeature, type Feature, type FeatureEnvironment, withFeatureEnvironment } from '../feature.ts';
import { loadFeatureIn } from '../feature-store.ts';
import type { StoredFeature } from '../items/feature-items.ts';
import { requireFeature, requireLive } from '../require-feature.ts';

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
