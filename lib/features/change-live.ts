import type { FlagRequest } from '../entity/effects.ts';
import type { Actor } from '../events/actor.ts';
import type { NewEvent } from '../events/event.ts';
import { loadProject, type Project } from '../projects/projects.ts';
import type { Request } from '../request.ts';
import { changeFeature, type FeatureChangePlan, type FeatureDecision } from './change-feature.ts';
import type { Feature, FeaturePath } from './feature.ts';
import { loadFeatureIn } from './feature-store.ts';
import type { StoredFeature } from './items/feature-items.ts';
import { requireFeature, requireLive } from './require-feature.ts';

/** A feature, and the facts that a decision on it depends on. */
interface LiveFeature<Facts> {
  readonly project: Project;
  readonly stored: StoredFeature;
  readonly feature: Feature;
  /** The environments to change. */
  readonly environments: readonly string[];
  readonly facts: Facts;
}

/** The same as read, before any check. */
interface UncheckedFeature<Facts> extends Pick<LiveFeature<Facts>, 'project' | 'facts'> {
  readonly stored: StoredFeature | undefined;
}

/** A planned change of a live feature of a project. */
export interface LiveChangePlan<Facts, T> {
  readonly likelyEvents?: number;
  /** Reads the parts of the feature that the change needs; by default, the feature without its environments. */
  readonly load?: () => Promise<StoredFeature | undefined>;
  /** Reads further facts for the decision. Reads that start synchronously share one request to the store. */
  readonly read?: (stored: Promise<StoredFeature | undefined>) => Promise<Facts>;
  /** Returns the environments to change. @throws ApiError 404 if the project lacks one of them. */
  readonly environmentsIn?: (project: Project) => readonly string[];
  /** Pure; a decision without events changes nothing. */
  readonly decide: (live: LiveFeature<Facts>, at: string) => Omit<FeatureDecision<T>, 'stored'>;
  /** Allows the change of an archived feature, too. */
  readonly mayBeArchived?: boolean;
}

/**
 * Plans a change of a live feature of a project, for `changeFeature`.
 * @throws ApiError 404 for an unknown project, environment or feature; what `read` and `decide` throw.
 */
export function planLiveChange<Facts, T>(
  request: Request,
  { projectId, featureName }: FeaturePath,
  {
    load = () => loadFeatureIn(request, featureName, []),
    read = async () => undefined as Facts,
    environmentsIn = () => [],
    decide,
    mayBeArchived = false,
    ...plan
  }: LiveChangePlan<Facts, T>,
): FeatureChangePlan<UncheckedFeature<Facts>, T> {
  return {
    name: featureName,
    ...plan,
    read: async () => {
      const loading = load();
      const [project, stored, facts] = await Promise.all([loadProject(request, projectId), loading, read(loading)]);
      return { project, stored, facts };
    },
    decide: ({ project, stored: unchecked, facts }, at) => {
      const environments = environmentsIn(project);
      const stored = requireFeature(unchecked, featureName, projectId);
      if (!mayBeArchived) requireLive(stored);
      return { stored, ...decide({ project, stored, feature: stored.feature, environments, facts }, at) };
    },
  };
}

type DecideOwn = (feature: Feature, at: string) => { readonly after: Feature; readonly event: NewEvent | undefined };

/**
 * Changes the properties of a live feature that are the same in all environments.
 * @param decide pure; without an event nothing changes.
 * @throws ApiError 404 for an unknown project or feature; what `decide` throws; 412 if `If-Match` does not match.
 */
export function changeOwn(request: FlagRequest, actor: Actor, path: FeaturePath, decide: DecideOwn) {
  return changeFeature(request, actor, planOwnChange(request, path, decide));
}

/** Plans the change that `changeOwn` makes. */
export function planOwnChange(request: Request, path: FeaturePath, decide: DecideOwn) {
  return planLiveChange<undefined, undefined>(request, path, {
    decide: ({ feature }, at) => {
      const { after, event } = decide(feature, at);
      return { after, events: event === undefined ? [] : [event], value: undefined };
    },
  });
}
