import { loadProject } from '../projects/projects.ts';
import type { ListedFeature } from '../schemas/feature.ts';
import { partitions } from '../table/keys.ts';
import { queryAll } from '../table/read.ts';
import type { Table } from '../table/table.ts';

/**
 * The archived features of a project, the latest first, right after they were archived.
 * @throws ApiError 404 for an unknown project.
 */
export async function listArchivedFeatures(table: Table, projectId: string): Promise<ListedFeature[]> {
  const [items] = await Promise.all([
    queryAll<{ feature: string }>(table, partitions.archivedFeatures(projectId), { descending: true }),
    loadProject(table, projectId),
  ]);
  return items.map(({ feature }) => JSON.parse(feature));
}
