import { loadShelf, loadShelves, type Shelf } from '../../features/shelf/shelf.ts';
import { listProjectIds, loadProject } from '../../projects/projects.ts';
import type { Request } from '../../request.ts';
import { distinctBy } from '../../values/lists.ts';

/** Creator of features, as lists show it. */
export interface FlagCreator {
  readonly id: number;
  readonly name: string;
}

/**
 * Lists the creators of a project's features, by name.
 * @throws ApiError 404 where there is no such project.
 */
export async function listFlagCreators(request: Request, projectId: string): Promise<FlagCreator[]> {
  const [, shelf] = await Promise.all([loadProject(request, projectId), loadShelf(request, projectId)]);
  return creatorsIn([shelf]);
}

/** Lists the creators of features as `listFlagCreators` does, of all projects. */
export async function listAllFlagCreators(request: Request): Promise<FlagCreator[]> {
  return creatorsIn(await loadShelves(request, await listProjectIds(request)));
}

function creatorsIn(shelves: readonly Shelf[]): FlagCreator[] {
  const creators = shelves.flatMap(({ features }) => [...features.values()].map(({ feature }) => feature.createdBy));
  const distinct = distinctBy(creators, ({ id }) => id).map(({ id, name }) => ({ id, name }));
  return distinct.toSorted((a, b) => a.name.localeCompare(b.name));
}
