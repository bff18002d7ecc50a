import { loadProject } from '../projects/projects.ts';
import { shelfOf } from '../snapshot/shelf.ts';
import type { Table } from '../table/table.ts';

/**
 * Who created features of a project, by name; of features of release 0.1 nobody knows.
 * @throws ApiError 404 where there is no such project.
 */
export async function listFlagCreators(table: Table, projectId: string): Promise<{ id: number; name: string }[]> {
  const [, { features }] = await Promise.all([loadProject(table, projectId), shelfOf(table, projectId)]);
  const creators = [...features.values()].flatMap(({ feature }) => feature.createdBy ?? []);
  return [...new Map(creators.map(({ id, name }) => [id, { id, name }])).values()].toSorted((a, b) =>
    a.name.localeCompare(b.name),
  );
}
