import { notFound } from '../../errors.ts';
import { loadProject } from '../../projects/projects.ts';
import type { Request } from '../../request.ts';
import { retryLostRaces } from '../../store/transactions/retry.ts';
import { listAllStrategies } from '../environments/feature-environment.ts';
import type { Feature } from '../feature.ts';
import { loadFeature } from '../feature-store.ts';
import { loadReadModel } from '../read-model/read-model.ts';

/**
 * Lists the names of the features on which a feature can depend, sorted.
 * @throws ApiError 404 for an unknown project or feature.
 */
export async function listParentOptions(request: Request, projectId: string, child: string): Promise<string[]> {
  const [{ features }] = await Promise.all([loadReadModel(request, projectId), loadProject(request, projectId)]);
  if (!features.has(child)) throw notFound(`feature in the project "${projectId}" named`, child);
  return [...features.values()].flatMap(({ feature: { name, archivedAt, dependencies } }) =>
    name !== child && archivedAt === null && dependencies.length === 0 ? [name] : [],
  );
}

/**
 * Lists the names of the variants of a feature in all environments, sorted; none for an unknown feature, since Unleash's
 * admin UI also requests those.
 * @throws ApiError 404 for an unknown project.
 */
export async function listParentVariants(request: Request, projectId: string, parent: string): Promise<string[]> {
  const [stored] = await Promise.all([
    retryLostRaces(request, () => loadFeature(request, parent)),
    loadProject(request, projectId),
  ]);
  if (stored?.feature.project !== projectId) return [];
  return [...variantNamesOf(stored.feature)].toSorted();
}

/**
 * Tells whether any feature of a project depends on another feature.
 * @throws ApiError 404 for an unknown project.
 */
export async function hasDependencies(request: Request, projectId: string): Promise<boolean> {
  const [{ features }] = await Promise.all([loadReadModel(request, projectId), loadProject(request, projectId)]);
  return [...features.values()].some(({ feature }) => feature.dependencies.length > 0);
}

/** Returns the names of all variants of a feature and of its strategies. */
function variantNamesOf({ environments }: Pick<Feature, 'environments'>): ReadonlySet<string> {
  const variants = [...environments.values()].flatMap((state) => [
    ...state.variants,
    ...listAllStrategies(state).flatMap((strategy) => strategy.variants),
  ]);
  return new Set(variants.map(({ name }) => name));
}
