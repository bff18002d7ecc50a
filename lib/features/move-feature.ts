import type { FlagRequest } from '../entity/step.ts';
import { ApiError, type ErrorDetail, invalidRequest } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import { loadProject, type Project, projectEnvironmentOf } from '../projects/projects.ts';
import { withAllProjects } from '../request.ts';
import { type Segment, segments } from '../segments/segments.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import { transactionWritesMax } from '../store/transactions/write.ts';
import { changeFeature } from './change-feature.ts';
import type { Feature, FeatureEnvironment } from './feature.ts';
import { featureMoved, featureSwitched } from './feature-events.ts';
import { loadFeature } from './feature-store.ts';
import { featureWrites, writesBesides } from './items/feature-writes.ts';
import { requireFeature } from './require-feature.ts';
import { loadTarget, roomProblems } from './target-project.ts';
import type { MetadataPlace } from './update-feature.ts';
import { lastSeenMoved, lastSeenOfOne } from './use/last-seen.ts';

/**
 * Moves a feature to another project, as it is, archived or not.
 * @throws ApiError 404 for an unknown project or feature, and
 * for an archived project; 409 with all that does not go with it: other environments, dependencies, and segments of its
 * project; 400 for one feature too many; 412 by `If-Match`.
 */
export async function moveFeature(
  request: FlagRequest,
  actor: Actor,
  { projectId, featureName }: MetadataPlace,
  newProjectId: string,
): Promise<Versioned<void>> {
  return changeFeature(request, actor, {
    name: featureName,
    read: async () => {
      const [from, { project: to, counts }, stored, lastSeenOf] = await Promise.all([
        loadProject(request, projectId),
        loadTarget(request, newProjectId),
        loadFeature(request, featureName),
        lastSeenOfOne(request, projectId, featureName),
      ]);
      const used = await segments.some(
        withAllProjects(request),
        stored === undefined ? [] : segmentsOf(stored.feature),
      );
      return { from, to, stored, used, lastSeenOf, counts };
    },
    decide: ({ from, to, stored: found, used, lastSeenOf, counts }) => {
      const stored = requireFeature(found, featureName, projectId);
      const { feature } = stored;
      if (from.id === to.id) return { stored, after: feature, events: [], value: undefined };
      const obstacles = obstaclesTo(feature, from, to, used);
      if (obstacles.length > 0) {
        throw new ApiError(
          'ConflictError',
          `The feature "${featureName}" cannot be moved to the project "${to.id}"; the details list why.`,
          obstacles,
        );
      }
      const isLive = feature.archivedAt === null;
      const problems = roomProblems(to, counts, { live: Number(isLive), archived: Number(!isLive) });
      if (problems.length > 0) throw invalidRequest(problems);
      const left = environmentsLeft(feature, to);
      const after = { ...feature, project: to.id, environments: new Map([...feature.environments, ...left]) };
      const free = transactionWritesMax - writesBesides - featureWrites(request, { stored, after }, []).length;
      const besides = { writes: lastSeenMoved(feature, to.id, lastSeenOf(feature), free / 2), events: [] };
      const switched = [...left.keys()].map((environment) => featureSwitched(after, environment, false));
      return { stored, after, events: [...switched, featureMoved(after, from.id)], value: undefined, besides };
    },
  });
}

/**
 * Returns, switched off, the environments that a moved feature is still on in but neither project has any more: their
 * removal, which has yet to switch it off, would not find it in the other project.
 */
function environmentsLeft({ environments }: Feature, to: Project): Map<string, FeatureEnvironment> {
  const left = [...environments].filter(
    ([name, { enabled }]) => enabled && projectEnvironmentOf(to, name) === undefined,
  );
  return new Map(left.map(([name, state]) => [name, { ...state, enabled: false }]));
}

function segmentsOf({ environments }: Feature): number[] {
  return [...environments.values()].flatMap(({ strategies }) => strategies.flatMap((strategy) => strategy.segments));
}

function obstaclesTo(feature: Feature, from: Project, to: Project, used: ReadonlyMap<number, Segment>): ErrorDetail[] {
  const [old, next] = [from, to].map(({ environments }) => new Set(environments.map(({ name }) => name))) as [
    Set<string>,
    Set<string>,
  ];
  const different = [...old.symmetricDifference(next)];
  return [
    ...different.map((name) => ({
      message: `The environment "${name}" is only in the project "${old.has(name) ? from.id : to.id}".`,
    })),
    ...feature.dependencies.map((parent) => ({ message: `It depends on the feature "${parent.feature}".` })),
    ...feature.children.map((child) => ({ message: `The feature "${child}" depends on it.` })),
    ...[...used].flatMap(([id, { project }]) =>
      project === null || project === to.id
        ? []
        : [{ message: `It uses the segment ${id}, which is of "${project}".` }],
    ),
  ];
}
