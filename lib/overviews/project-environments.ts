import { environments, inOrder } from '../environments/environments.ts';
import { loadFeatureCounts } from '../features/feature-counts.ts';
import { loadDefaultStrategies } from '../projects/default-strategy.ts';
import { environmentOf, loadProject } from '../projects/projects.ts';
import type { EnvironmentOfProject } from '../schemas/environment.ts';
import type { Table } from '../table/table.ts';

/**
 * All environments, in their order, and whether a project has them (`visible`) and what it has in them.
 * @throws ApiError 404 where there is no such project.
 */
export async function listEnvironmentsOfProject(table: Table, projectId: string): Promise<EnvironmentOfProject[]> {
  const [project, all, defaults, counts] = await Promise.all([
    loadProject(table, projectId),
    environments.list(table),
    loadDefaultStrategies(table, projectId),
    loadFeatureCounts(table, projectId),
  ]);
  return all.toSorted(inOrder).map((environment) => {
    const { name } = environment;
    const defaultStrategy = defaults.get(name)?.strategy;
    return {
      ...environment,
      visible: environmentOf(project, name) !== undefined,
      projectEnabledToggleCount: counts.on.get(name) ?? 0,
      ...(defaultStrategy !== undefined && { defaultStrategy }),
    };
  });
}
