import { codec } from '../entity/codec.ts';
import { entity } from '../entity/entity.ts';
import { inOrder } from '../environments/environments.ts';
import { invalid, notFound } from '../errors.ts';
import { type Key, keys, partitions } from '../table/keys.ts';
import { queryAll } from '../table/read.ts';
import type { Table } from '../table/table.ts';

/** An environment as a project uses it; its type and order are copied, since they hardly change and are needed often. */
export interface ProjectEnvironment {
  readonly name: string;
  readonly type: string;
  readonly sortOrder: number;
  readonly changeRequestsEnabled: boolean;
}

/** Where features live. Its default strategies have items and versions of their own. */
export interface Project {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly defaultStickiness: string;
  readonly createdAt: string;
  /** By sortOrder. */
  readonly environments: readonly ProjectEnvironment[];
}

export const projects = entity<Project, string>({
  kind: 'project',
  idOf: ({ id }) => id,
  keyOf: keys.project,
  partitions: [],
  // Each project has a partition of its own; this lists them.
  unique: { id: keys.listedProject },
  codec: codec<Project>({ environments: true }),
  events: { created: 'project-created', updated: 'project-updated', deleted: 'project-deleted' },
  shown: ({ id, name, description, defaultStickiness, environments }) => ({
    id,
    name,
    description,
    defaultStickiness,
    environments: environments.map((environment) => environment.name),
  }),
  projectOf: ({ id }) => id,
});

/** The ids of all projects, consistently, in their order. */
export async function listProjectIds(table: Table): Promise<string[]> {
  const items = await queryAll<Key>(table, partitions.projects());
  return items.map(({ sk }) => sk);
}

/** @throws ApiError 404 where there is no such project. */
export async function loadProject(table: Table, id: string): Promise<Project> {
  return (await projects.load(table, id)).value;
}

/** @throws ApiError 404 where the project does not have the environment. */
export function requireEnvironment(project: Project, name: string): ProjectEnvironment {
  const environment = environmentOf(project, name);
  if (environment === undefined) throw notFound(`environment in the project "${project.id}" named`, name);
  return environment;
}

/** @throws ApiError 400 where a project has the id already. */
export async function assertNewProjectId(table: Table, id: string): Promise<void> {
  const existing = await projects.find(table, id);
  if (existing !== undefined) throw invalid(`There is already a project "${id}".`, 'id');
}

/** The project's environment of that name, if it has it. */
export function environmentOf(project: Project, name: string): ProjectEnvironment | undefined {
  return project.environments.find((environment) => environment.name === name);
}

/** The project with one more environment, in its place. */
export function withEnvironment(project: Project, environment: ProjectEnvironment): Project {
  return { ...project, environments: [...project.environments, environment].toSorted(inOrder) };
}
