import { codec } from '../entity/codec.ts';
import { entity } from '../entity/entity.ts';
import { bySortOrder } from '../environments/environments.ts';
import { ApiError, invalid, notFound } from '../errors.ts';
import type { NewEvent } from '../events/event.ts';
import * as flagKeys from '../identity/access-flags/keys.ts';
import { isHidden, type Request, seenAmong } from '../request.ts';
import type { Key } from '../store/client/definition.ts';
import { queryAll, readItem } from '../store/read.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import { isName } from '../values/primitives.ts';
import * as projectKeys from './keys.ts';
import type { LinkTemplate, ProjectMode } from './project-schema.ts';

/** An environment as a project uses it; its type and order are copied, since they hardly change and are needed often. */
export interface ProjectEnvironment {
  readonly name: string;
  readonly type: string;
  readonly sortOrder: number;
  /** Missing where changes need none: the environment is not protected. */
  readonly approval?: Approval;
}

/** Approval that changes need in a protected environment of a project. */
export interface Approval {
  /** Number of people who have to approve, 1 to 10. */
  readonly required: number;
  /** Fate of a change to something that others have changed since: a 409, or it replaces their change. */
  readonly onDrift: 'refuse' | 'overwrite';
  /** People who may approve a change of their own. */
  readonly selfApproval: 'never' | 'admin';
  /** Minutes in which somebody may veto an override before it holds; null where nobody may override, missing for 0. */
  readonly overrideDelayMinutes?: number | null;
}

/** Pattern that the names of new features must match as a whole, with its explanation. */
export interface FeatureNaming {
  readonly pattern: string;
  readonly example: string | null;
  readonly description: string | null;
}

/** Project, a container of features. Its default strategies have items and versions of their own. */
export interface Project {
  readonly id: string;
  readonly name: string;
  /** null where there is none. */
  readonly description: string | null;
  readonly mode: ProjectMode;
  readonly defaultStickiness: string;
  /** Limit of live features; null for none. */
  readonly featureLimit: number | null;
  readonly featureNaming: FeatureNaming | null;
  /** New features get a link of each. */
  readonly linkTemplates: readonly LinkTemplate[];
  readonly createdAt: string;
  readonly updatedAt: string | null;
  /** Since when it takes no features; null for one that does. */
  readonly archivedAt: string | null;
  /** By sortOrder. */
  readonly environments: readonly ProjectEnvironment[];
}

/** An environment of a project, by their names. */
export interface ProjectEnvironmentPlace {
  readonly projectId: string;
  readonly environment: string;
}

/** Defaults of a new project. */
export const newProject = {
  description: null,
  mode: 'open',
  defaultStickiness: 'default',
  featureLimit: null,
  featureNaming: null,
  linkTemplates: [],
  updatedAt: null,
  archivedAt: null,
  environments: [],
} as const satisfies Partial<Project>;

/** Unleash's limit; writers at the same moment may pass it by a few. */
export const projectsMax = 500;

export const projects = entity<Project, string>({
  kind: 'project',
  idOf: ({ id }) => id,
  keyOf: projectKeys.project,
  partitions: [],
  max: projectsMax,
  // Each project has a partition of its own; this lists them.
  unique: { id: projectKeys.listedProject },
  lastingMarks: ({ id, mode, environments }) => [
    // What happened in a private project stays with those who might see it.
    ...(mode === 'private' ? [flagKeys.privateProject(id)] : []),
    // They may be more than the transaction has room for that deletes it, so that they go with what belonged to it.
    ...environments.flatMap(({ name, approval }) => (approval ? [flagKeys.protection(id, name)] : [])),
  ],
  codec: codec<Project>({ environments: true, featureNaming: true, linkTemplates: true }),
  events: {
    created: 'project-created',
    updated: ({ archivedAt }, before) => {
      if (archivedAt === before?.archivedAt) return 'project-updated';
      return archivedAt === null ? 'project-revived' : 'project-archived';
    },
    deleted: 'project-deleted',
  },
  shown: ({ createdAt: _createdAt, updatedAt: _updatedAt, environments, ...shown }) => ({
    ...shown,
    environments: environments.map((environment) => environment.name),
  }),
  projectOf: ({ id }) => id,
});

/** Lists the ids of all projects that the caller sees, consistently, in their order. */
export async function listProjectIds(request: Request): Promise<string[]> {
  const items = await queryAll<Key>(request, projectKeys.projects());
  const ids = items.map(({ sk }) => sk);
  return seenAmong(request, ids);
}

/** Lists all projects, each of which has a partition of its own, with their versions. */
export async function loadAllProjects(request: Request): Promise<Versioned<Project>[]> {
  return [...(await projects.someVersioned(request, await listProjectIds(request))).values()];
}

/** @throws ApiError 404 where there is no such project. */
export async function loadProject(request: Request, id: string): Promise<Project> {
  return (await projects.load(request, id)).value;
}

/** @throws ApiError 404 where the project is archived: it takes no features. */
export function requireActive<T extends Pick<Project, 'id' | 'archivedAt'>>(project: T): T {
  if (project.archivedAt === null) return project;
  throw new ApiError('NotFoundError', `The project "${project.id}" is archived; revive it first.`);
}

/** @throws ApiError 404 where the project does not have the environment. */
export function requireEnvironment(project: Project, name: string): ProjectEnvironment {
  const environment = projectEnvironmentOf(project, name);
  if (environment === undefined) throw notFound(`environment in the project "${project.id}" named`, name);
  return environment;
}

/** @throws ApiError 400 where a project has the id already. */
export async function assertNewProjectId(request: Request, id: string): Promise<void> {
  const existing = await projects.find(request, id);
  if (existing !== undefined || isHidden(request, id)) throw invalid(`There is already a project "${id}".`, 'id');
}

/** Returns the project's environment of that name, if it has it. */
export function projectEnvironmentOf(project: Project, name: string): ProjectEnvironment | undefined {
  return project.environments.find((environment) => environment.name === name);
}

/** Returns the project with one more environment, in its place. */
export function withEnvironment(project: Project, environment: ProjectEnvironment): Project {
  return { ...project, environments: [...project.environments, environment].toSorted(bySortOrder) };
}

export function environmentAdded(project: string, environment: string): NewEvent {
  return { type: 'project-environment-added', project, environment };
}

/** Returns the project without one of its environments. */
export function withoutEnvironment(project: Project, name: string): Project {
  return { ...project, environments: project.environments.filter((environment) => environment.name !== name) };
}

/**
 * Requires the project that a request refers to, if it names one. It lives in this file because projects depend on
 * things that may belong to one.
 * @throws ApiError 404 for an unknown project, and in the same words for one that the caller must not see.
 */
export async function requireProject(request: Request, id: string | null | undefined): Promise<void> {
  if (id === undefined || id === null) return;
  const found = isName(id) ? await readItem(request, projectKeys.project(id)) : undefined;
  if (found === undefined || isHidden(request, id)) throw notFound('project', id);
}
