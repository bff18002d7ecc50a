import { invalid, notFound } from '../errors.ts';
import { isName } from '../schemas/primitives.ts';
import { keys } from '../table/keys.ts';
import { readItem } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { environmentOf, type Project, type ProjectEnvironment, type ProjectItem, projectFrom } from './project.ts';

/** @throws ApiError 404 where there is no such project. */
export async function loadProject(table: Table, id: string): Promise<Project> {
  const item = isName(id) ? await readItem<ProjectItem>(table, keys.project(id)) : undefined;
  if (item === undefined) throw notFound('project', id);
  return projectFrom(item);
}

/** @throws ApiError 404 where the project does not have the environment. */
export function requireEnvironment(project: Project, name: string): ProjectEnvironment {
  const environment = environmentOf(project, name);
  if (environment === undefined) throw notFound(`environment in the project "${project.id}" named`, name);
  return environment;
}

/** @throws ApiError 400 where a project has the id already. */
export async function assertNewProjectId(table: Table, id: string): Promise<void> {
  const existing = await readItem<ProjectItem>(table, keys.project(id));
  if (existing !== undefined) throw invalid(`There is a project "${id}" already.`, 'id');
}
