import { notFound } from '../../errors.ts';
import { loadProject } from '../../projects/projects.ts';
import type { Request } from '../../request.ts';
import { retryLostRaces } from '../../store/transactions/retry.ts';
import type { Feature } from '../feature.ts';
import { loadFeature } from '../feature-store.ts';
import { shelfOf } from '../shelf/shelf.ts';

/**
 * Lists the names of the features on which a feature can depend, in their order.
 * @throws ApiError 404 for an unknown project or feature.
 */
export async function listParentOptions(request: Request, projectId: string, child: string): Promise<string[]> {
  const [{ features }] = await Promise.all([shelfOf(request, projectId), loadProject(request, projectId)]);
  if (!features.has(child)) throw notFound(`feature in the project "${projectId}" named`, child);
  return [...features.values()].flatMap(({ feature: { name, archivedAt, dependencies } }) =>
    name !== child && archivedAt === null && dependencies.length === 0 ? [name] : [],
  );
}

/**
 * Lists the names of the variants of a feature, in any environment, in their order. Unleash's pages ask for those of
 * features that do not exist: these have none.
 * @throws ApiError 404 for an unknown project.
 */
export async function listParentVariants(request: Request, projectId: string, parent: string): Promise<string[]> {
  const [found] = await Promise.all([
    retryLostRaces(request, () => loadFeature(request, parent)),
    loadProject(request, projectId),
  ]);
  if (found?.feature.project !== projectId) return [];
  return [...variantNames(found.feature)].toSorted();
}

/**
 * Tells whether any feature of a project depends on another one.
 * @throws ApiError 404 for an unknown project.
 */
export async function hasDependencies(request: Request, projectId: string): Promise<boolean> {
  const [{ features }] = await Promise.all([shelfOf(request, projectId), loadProject(request, projectId)]);
  return [...features.values()].some(({ feature }) => feature.dependencies.length > 0);
}

/** Returns the names of all variants of a feature: in each environment, its own and those of its strategies. */
function variantNames({ environments }: Pick<Feature, 'environments'>): ReadonlySet<string> {
  const variants = [...environments.values()].flatMap((state) => [
    ...state.variants,
    ...state.strategies.flatMap((strategy) => strategy.variants),
  ]);
  return new Set(variants.map(({ name }) => name));
}
