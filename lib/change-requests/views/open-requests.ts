import type { Author } from '../../events/actor.ts';
import { filterVisibleProjects, type Request } from '../../request.ts';
import { listOpen, type Summary } from '../change-requests.ts';

/** Lists the open requests that a person may know of in all projects in which changes need approval. */
async function openWhereProtected(request: Request, viewer: Author): Promise<Summary[]> {
  const projects = filterVisibleProjects(request, [...request.gate.protected.keys()]);
  const found = await Promise.all(
    projects.map((project) => request.store.limiter(() => listOpen(request, viewer, project))),
  );
  return found.flat();
}

/**
 * Finds the open requests that change features, by feature and environment. It asks nothing of projects in which no change
 * needs approval.
 */
export async function openRequestsOn(
  request: Request,
  viewer: Author,
  projects: Iterable<string>,
): Promise<(feature: string, environment: string) => number[]> {
  const asked = [...new Set(projects)].filter((project) => request.gate.protected.has(project));
  const found = (await Promise.all(asked.map((project) => listOpen(request, viewer, project)))).flat();
  return (feature, environment) =>
    found
      .filter((one) => one.environment === environment && one.changes.some((change) => change.feature === feature))
      .map(({ id }) => id);
}

/** Lists the strategies that are to use a segment once the open requests which say so are applied. */
export async function listRequestedUses(request: Request, viewer: Author, segment: number) {
  const open = await openWhereProtected(request, viewer);
  return open.flatMap(({ id, title, project, environment, changes }) =>
    changes
      .filter(({ feature, segments = [] }) => feature !== null && segments.includes(segment))
      .map(({ feature, of, name = '' }) => ({
        ...(typeof of === 'string' && { id: of }),
        projectId: project,
        featureName: feature ?? '',
        environment,
        strategyName: name,
        changeRequest: { id, title: title ?? null },
      })),
  );
}
