import { loadReadModel, loadReadModels, type ReadModel } from '../../features/read-model/read-model.ts';
import { listProjectIds, loadProject } from '../../projects/projects.ts';
import type { Request } from '../../request.ts';
import { distinctBy } from '../../values/lists.ts';

/** The creator of features. */
export interface FlagCreator {
  readonly id: number;
  readonly name: string;
}

/**
 * Lists the creators of a project's features, by name.
 * @throws ApiError 404 for an unknown project.
 */
export async function listFlagCreators(request: Request, projectId: string): Promise<FlagCreator[]> {
  const [, readModel] = await Promise.all([loadProject(request, projectId), loadReadModel(request, projectId)]);
  return creatorsOf([readModel]);
}

/** Lists the creators of the features of all projects, by name. */
export async function listAllFlagCreators(request: Request): Promise<FlagCreator[]> {
  return creatorsOf(await loadReadModels(request, await listProjectIds(request)));
}

function creatorsOf(readModels: readonly ReadModel[]): FlagCreator[] {
  const creators = readModels.flatMap(({ features }) => [...features.values()].map(({ feature }) => feature.createdBy));
  const distinct = distinctBy(creators, ({ id }) => id).map(({ id, name }) => ({ id, name }));
  return distinct.toSorted((a, b) => a.name.localeCompare(b.name));
}
