import type { FlagRequest } from '../entity/effects.ts';
import { ApiError, type ErrorDetail, invalidRequest } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import { loadProject, type Project, projectEnvironmentOf } from '../projects/projects.ts';
import { withAllProjects } from '../request.ts';
import { type Segment, segments } from '../segments/segments.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import { transactionWritesMax } from '../store/transactions/write.ts';
import { changeFeature } from './change-feature.ts';
import type { FeatureEnvironment } from './environments/feature-environment.ts';
import { listAllStrategies } from './environments/feature-environment.ts';
import type { Feature, FeaturePath } from './feature.ts';
import { featureMoved, featureSwitched } from './feature-events.ts';
import { loadFeature } from './feature-store.ts';
import { buildFeatureWrites, reservedWrites } from './items/feature-writes.ts';
import { requireFeature } from './require-feature.ts';
import { listCapacityProblems, loadTargetProject } from './target-project.ts';
import { buildLastSeenMove, loadLastSeen } from './use/last-seen.ts';

/**
 * Moves a feature, archived or not, unchanged to another project.
 * @throws ApiError 404 for an unknown project or feature, or an archived target project; 409 with all obstacles:
 * differing environments, dependencies, and segments of the old project; 400 for too many features; 412 if `If-Match` does not match.
 */
export async function moveFeature(
  request: FlagRequest,
  actor: Actor,
  { projectId, featureName }: FeaturePath,
  newProjectId: string,
): Promise<Versioned<void>> {
  return changeFeature(request, actor, {
    name: featureName,
    read: async () => {
      const [from, { project: to, counts }, stored, lastSeenOf] = await Promise.all([
        loadProject(request, projectId),
        loadTargetProject(request, newProjectId),
        loadFeature(request, featureName),
        loadLastSeen(request, projectId, featureName),
      ]);
      const usedSegments = await segments.findSome(
        withAllProjects(request),
        stored === undefined ? [] : segmentsOf(stored.feature),
      );
      return { from, to, stored, usedSegments, lastSeenOf, counts };
    },
    decide: ({ from, to, stored: loaded, usedSegments, lastSeenOf, counts }) => {
      const stored = requireFeature(loaded, featureName, projectId);
      const { feature } = stored;
      if (from.id === to.id) return { stored, after: feature, events: [], value: undefined };
      const obstacles = listObstacles(feature, from, to, usedSegments);
      if (obstacles.length > 0) {
        throw new ApiError(
          'ConflictError',
          `The feature "${featureName}" cannot be moved to the project "${to.id}"; the details list why.`,
          obstacles,
        );
      }
      const isLive = feature.archivedAt === null;
      const problems = listCapacityProblems(to, counts, { live: Number(isLive), archived: Number(!isLive) });
      if (problems.length > 0) throw invalidRequest(problems);
      const switchedOff = switchOffRemovedEnvironments(feature, to);
      const after = { ...feature, project: to.id, environments: new Map([...feature.environments, ...switchedOff]) };
      const free = transactionWritesMax - reservedWrites - buildFeatureWrites(request, { stored, after }, []).length;
      const sideEffects = { writes: buildLastSeenMove(feature, to.id, lastSeenOf(feature), free / 2), events: [] };
      const switchEvents = [...switchedOff.keys()].map((environment) => featureSwitched(after, environment, false));
      return { stored, after, events: [...switchEvents, featureMoved(after, from.id)], value: undefined, sideEffects };
    },
  });
}

/**
 * Returns the environments in which the feature is on and that neither project has any more, switched off. An
 * environment can be removed from the old project while its features are still to be switched off there; that removal
 * would not find the feature in its new project.
 */
function switchOffRemovedEnvironments({ environments }: Feature, to: Project): Map<string, FeatureEnvironment> {
  const removed = [...environments].filter(
    ([name, { enabled }]) => enabled && projectEnvironmentOf(to, name) === undefined,
  );
  return new Map(removed.map(([name, state]) => [name, { ...state, enabled: false }]));
}

function segmentsOf({ environments }: Feature): number[] {
  return [...environments.values()].flatMap((state) => listAllStrategies(state).flatMap(({ segments }) => segments));
}

function listObstacles(
  feature: Feature,
  from: Project,
  to: Project,
  usedSegments: ReadonlyMap<number, Segment>,
): ErrorDetail[] {
  const namesOf = ({ environments }: Project) => new Set(environments.map(({ name }) => name));
  const oldNames = namesOf(from);
  return [
    ...[...oldNames.symmetricDifference(namesOf(to))].map((name) => ({
      message: `The environment "${name}" is only in the project "${oldNames.has(name) ? from.id : to.id}".`,
    })),
    ...feature.dependencies.map((parent) => ({ message: `It depends on the feature "${parent.feature}".` })),
    ...feature.children.map((child) => ({ message: `The feature "${child}" depends on it.` })),
    ...[...usedSegments].flatMap(([id, { project }]) =>
      project === null || project === to.id
        ? []
        : [{ message: `It uses the segment ${id}, which belongs to the project "${project}".` }],
    ),
  ];
}
