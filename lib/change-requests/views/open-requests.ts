import type { Author } from '../../events/actor.ts';
import { filterVisibleProjects, type Request } from '../../request.ts';
import { listOpen, type Summary } from '../change-requests.ts';

/** Lists the open requests that a person sees in all projects in which changes need approval. */
async function listOpenInProtectedProjects(request: Request, viewer: Author): Promise<Summary[]> {
  const projects = filterVisibleProjects(request, [...request.gate.protected.keys()]);
  const lists = await Promise.all(
    projects.map((project) => request.store.limiter(() => listOpen(request, viewer, project))),
  );
  return lists.flat();
}

/**
 * Reads the open requests of projects, and returns a lookup of their ids by feature and environment. Projects in which no
 * change needs approval are not read.
 */
export async function loadOpenRequestsOn(
  request: Request,
  viewer: Author,
  projects: Iterable<string>,
): Promise<(feature: string, environment: string) => number[]> {
  const protectedProjects = [...new Set(projects)].filter((project) => request.gate.protected.has(project));
  const open = (await Promise.all(protectedProjects.map((project) => listOpen(request, viewer, project)))).flat();
  // Lists ask for each of thousands of features, so the requests are looked through once.
  const ids = new Map<string, Set<number>>();
  for (const { id, environment, changes } of open) {
    for (const { feature } of changes) {
      const key = `${environment} ${feature}`;
      const known = ids.get(key);
      if (known === undefined) ids.set(key, new Set([id]));
      else known.add(id);
    }
  }
  return (feature, environment) => [...(ids.get(`${environment} ${feature}`) ?? [])];
}

/** Lists the strategies that will use a segment when open requests are applied. */
export async function listRequestedUses(request: Request, viewer: Author, segment: number) {
  const open = await listOpenInProtectedProjects(request, viewer);
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
