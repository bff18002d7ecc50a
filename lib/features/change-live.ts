import { loadProject, type Project } from '../projects/projects.ts';
import type { Request } from '../request.ts';
import type { ChangeOfFeature, FeatureDecision } from './change-feature.ts';
import type { Feature } from './feature.ts';
import { loadFeatureIn } from './feature-store.ts';
import type { StoredFeature } from './items/feature-items.ts';
import { requireFeature, requireLive } from './require-feature.ts';
import type { MetadataPlace } from './update-feature.ts';

/** A live feature, with the other facts that a decision on it depends on. */
interface FoundLive<More> {
  readonly project: Project;
  readonly stored: StoredFeature;
  readonly feature: Feature;
  /** The environments that the change is about. */
  readonly environments: readonly string[];
  readonly more: More;
}

/** The same as it was read, before anything is required of it. */
interface ReadLive<More> extends Pick<FoundLive<More>, 'project' | 'more'> {
  readonly stored: StoredFeature | undefined;
}

/** A change of a live feature of a project. */
export interface ChangeOfLive<More, T> {
  readonly likelyEvents?: number;
  /** Reads the feature as far as the change is about it; without its environments where this is left out. */
  readonly load?: () => Promise<StoredFeature | undefined>;
  /** Reads further facts for the decision; reads started synchronously share the request for the feature. */
  readonly read?: (stored: Promise<StoredFeature | undefined>) => Promise<More>;
  /** Returns the environments that the change is about. @throws ApiError 404 where the project lacks one of them. */
  readonly environmentsIn?: (project: Project) => readonly string[];
  /** Pure; a decision without events changes nothing. */
  readonly decide: (found: FoundLive<More>, at: string) => Omit<FeatureDecision<T>, 'stored'>;
}

/**
 * Makes the change of a live feature of a project, for `changeFeature`.
 * @throws ApiError 404 for an unknown project, environment or feature; what `read` and `decide` throw.
 */
export function planLiveChange<More, T>(
  request: Request,
  { projectId, featureName }: MetadataPlace,
  {
    load = () => loadFeatureIn(request, featureName, []),
    read = async () => undefined as More,
    environmentsIn = () => [],
    decide,
    ...more
  }: ChangeOfLive<More, T>,
): ChangeOfFeature<ReadLive<More>, T> {
  return {
    name: featureName,
    ...more,
    read: async () => {
      const loading = load();
      const [project, stored, more] = await Promise.all([loadProject(request, projectId), loading, read(loading)]);
      return { project, stored, more };
    },
    decide: ({ project, stored: found, more }, at) => {
      const environments = environmentsIn(project);
      const stored = requireLive(requireFeature(found, featureName, projectId));
      return { stored, ...decide({ project, stored, feature: stored.feature, environments, more }, at) };
    },
  };
}
