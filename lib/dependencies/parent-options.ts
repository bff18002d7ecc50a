import { notFound } from '../errors.ts';
import { loadFeature } from '../features/feature-store.ts';
import { loadProject } from '../projects/projects.ts';
import { shelfOf } from '../snapshot/shelf.ts';
import { retryLostRaces } from '../table/retry.ts';
import type { Table } from '../table/table.ts';
import { variantNames } from './variant-names.ts';

/**
 * The names of the features on which a feature can depend, in their order.
 * @throws ApiError 404 for an unknown project or feature.
 */
export async function listParentOptions(table: Table, projectId: string, child: string): Promise<string[]> {
  const [{ features }] = await Promise.all([shelfOf(table, projectId), loadProject(table, projectId)]);
  if (!features.has(child)) throw notFound(`feature in the project "${projectId}" named`, child);
  return [...features.values()].flatMap(({ feature: { name, archivedAt, dependencies } }) =>
    name !== child && archivedAt === null && dependencies.length === 0 ? [name] : [],
  );
}

/**
 * The names of the variants of a feature, in any environment, in their order. Unleash's pages ask for those of features
 * that do not exist: these have none.
 * @throws ApiError 404 for an unknown project.
 */
export async function listParentVariants(table: Table, projectId: string, parent: string): Promise<string[]> {
  const [found] = await Promise.all([
    retryLostRaces(table, () => loadFeature(table, parent)),
    loadProject(table, projectId),
  ]);
  if (found?.feature.project !== projectId) return [];
  return [...variantNames(found.feature)].toSorted();
}

/**
 * Whether a feature of a project depends on another one.
 * @throws ApiError 404 for an unknown project.
 */
export async function hasDependencies(table: Table, projectId: string): Promise<boolean> {
  const [{ features }] = await Promise.all([shelfOf(table, projectId), loadProject(table, projectId)]);
  return [...features.values()].some(({ feature }) => feature.dependencies.length > 0);
}
