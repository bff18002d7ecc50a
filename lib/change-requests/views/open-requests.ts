import type { Author } from '../../events/actor.ts';
import { filterVisibleProjects, type Request } from '../../request.ts';
import { listOpen, listProjectsWithProposals, type Summary } from '../change-requests.ts';

/**
 * Lists the open requests that a person sees in some projects. Most projects have none: only those in which changes need approval, and
 * those in which agents have open proposals, are read.
 * @param proposing the projects in which agents have open proposals.
 * @param projects all projects if it is missing.
 */
async function listOpenIn(
  request: Request,
  viewer: Author,
  proposing: ReadonlySet<string>,
  projects?: ReadonlySet<string>,
): Promise<Summary[]> {
  const likely = [...new Set([...request.gate.protected.keys(), ...proposing])];
  const asked = filterVisibleProjects(request, likely).filter((project) => projects?.has(project) ?? true);
  const lists = await Promise.all(
    asked.map((project) => request.store.limiter(() => listOpen(request, viewer, project))),
  );
  return lists.flat();
}

/**
 * Reads the open requests of projects, and returns a lookup of their ids by feature and environment.
 * @param proposing the projects in which agents have open proposals, as `listProjectsWithProposals` finds them.
 */
export async function loadOpenRequestsOn(
  request: Request,
  viewer: Author,
  projects: Iterable<string>,
  proposing: ReadonlySet<string>,
): Promise<(feature: string, environment: string) => number[]> {
  const open = await listOpenIn(request, viewer, proposing, new Set(projects));
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
  const open = await listOpenIn(request, viewer, await listProjectsWithProposals(request));
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
