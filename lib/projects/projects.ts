import { codec } from '../entity/codec.ts';
import { entity } from '../entity/entity.ts';
import { buildExistenceCheck } from '../entity/references.ts';
import { bySortOrder } from '../environments/environments.ts';
import { ApiError, invalid, joinNames, notFound } from '../errors.ts';
import type { NewEvent } from '../events/event.ts';
import * as flagKeys from '../identity/access-flags/keys.ts';
import { filterVisibleProjects, isHidden, type Request } from '../request.ts';
import type { Key } from '../store/client/definition.ts';
import { queryAll, readItem } from '../store/read.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import type { Write } from '../store/transactions/write.ts';
import { isName } from '../values/primitives.ts';
import * as projectKeys from './keys.ts';
import type { LinkTemplate, ProjectMode } from './project-schema.ts';

/** An environment of a project. Its type and order are copies, since they hardly change and are needed often. */
export interface ProjectEnvironment {
  readonly name: string;
  readonly type: string;
  readonly sortOrder: number;
  /** Missing if changes need no approval: the environment is not protected. */
  readonly approval?: Approval;
}

/** The approval that changes need in a protected environment of a project. */
export interface Approval {
  /** The number of people who have to approve, 1 to 10. */
  readonly required: number;
  /** The result if somebody else has changed the same thing meanwhile: a 409, or their change is overwritten. */
  readonly onDrift: 'refuse' | 'overwrite';
  /** People who may approve their own changes. */
  readonly selfApproval: 'never' | 'admin';
  /** Minutes until an override begins, in which others can end it; null if nobody may override, missing for 0. */
  readonly overrideDelayMinutes?: number | null;
}

/** Pattern that the names of new features must match as a whole, with its explanation. */
export interface FeatureNaming {
  readonly pattern: string;
  readonly example: string | null;
  readonly description: string | null;
}

/** A project. Its default strategies are separate items with their own versions. */
export interface Project {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly mode: ProjectMode;
  readonly defaultStickiness: string;
  /** The most live features; null for no limit. */
  readonly featureLimit: number | null;
  readonly featureNaming: FeatureNaming | null;
  /** New features get a link from each. */
  readonly linkTemplates: readonly LinkTemplate[];
  readonly createdAt: string;
  readonly updatedAt: string | null;
  /** An archived project takes no features. */
  readonly archivedAt: string | null;
  /** The environments by `sortOrder`. */
  readonly environments: readonly ProjectEnvironment[];
}

/** An environment of a project, by their names. */
export interface ProjectEnvironmentPath {
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

/** Unleash's limit; concurrent requests may exceed it by a few. */
export const projectsMax = 500;

export const projects = entity<Project, string>({
  kind: 'project',
  idOf: ({ id }) => id,
  keyOf: projectKeys.project,
  partitions: [],
  max: projectsMax,
  // Each project has its own partition; this is their list.
  unique: { id: projectKeys.projectInList },
  lastingFlagItems: ({ id, mode, environments }) => [
    // The events of a deleted private project stay hidden from others.
    ...(mode === 'private' ? [flagKeys.privateProject(id)] : []),
    // They may be too many for the transaction that deletes the project, so they are removed with its content.
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
  eventData: ({ createdAt: _createdAt, updatedAt: _updatedAt, environments, ...shown }) => ({
    ...shown,
    environments: environments.map((environment) => environment.name),
  }),
  projectOf: ({ id }) => id,
});

/** Lists the ids of all projects that the caller sees, in order. */
export async function listProjectIds(request: Request): Promise<string[]> {
  const items = await queryAll<Key>(request, projectKeys.projects());
  const ids = items.map(({ sk }) => sk);
  return filterVisibleProjects(request, ids);
}

/** Loads all projects that the caller sees. */
export async function loadAllProjects(request: Request): Promise<Versioned<Project>[]> {
  return [...(await projects.findSomeVersioned(request, await listProjectIds(request))).values()];
}

/** @throws ApiError 404 for an unknown project. */
export async function loadProject(request: Request, id: string): Promise<Project> {
  return (await projects.load(request, id)).value;
}

/** Finds a project; undefined for one that is unknown to the caller, as it does not exist or is hidden. */
export async function findVisibleProject(request: Request, id: string): Promise<Project | undefined> {
  return isHidden(request, id) ? undefined : (await projects.find(request, id))?.value;
}

/** @throws ApiError 404 if the project is archived. */
export function requireActive<T extends Pick<Project, 'id' | 'archivedAt'>>(project: T): T {
  if (project.archivedAt === null) return project;
  throw new ApiError('NotFoundError', `The project "${project.id}" is archived; revive it first.`);
}

/** @throws ApiError 404 that names the environments of the project, if it does not have this one. */
export function requireEnvironment(project: Project, name: string): ProjectEnvironment {
  const environment = projectEnvironmentOf(project, name);
  if (environment !== undefined) return environment;
  const { message } = notFound(`environment in the project "${project.id}" named`, name);
  const names = joinNames(project.environments.map((existing) => existing.name));
  throw new ApiError('NotFoundError', names === '' ? message : `${message} Its environments: ${names}.`);
}

/** @throws ApiError 400 if a project has the id. */
export async function assertNewProjectId(request: Request, id: string): Promise<void> {
  const existing = await projects.find(request, id);
  if (existing !== undefined || isHidden(request, id)) throw invalid(`There is already a project "${id}".`, 'id');
}

/** Returns an environment of a project by name. */
export function projectEnvironmentOf(project: Project, name: string): ProjectEnvironment | undefined {
  return project.environments.find((environment) => environment.name === name);
}

/** Returns the project with one more environment, in order. */
export function withEnvironment(project: Project, environment: ProjectEnvironment): Project {
  return { ...project, environments: [...project.environments, environment].toSorted(bySortOrder) };
}

export function buildEnvironmentEvent(project: string, environment: string): NewEvent {
  return { type: 'project-environment-added', project, environment };
}

/** Returns the project without one of its environments. */
export function withoutEnvironment(project: Project, name: string): Project {
  return { ...project, environments: project.environments.filter((environment) => environment.name !== name) };
}

/**
 * Requires that the project of a request exists, if it names one.
 * @throws ApiError 404 for an unknown project; a hidden one gets the same message.
 */
export async function requireProject(request: Request, id: string | null | undefined): Promise<void> {
  if (id === undefined || id === null) return;
  const item = isName(id) ? await readItem(request, projectKeys.project(id)) : undefined;
  if (item === undefined || isHidden(request, id)) throw notFound('project', id);
}

/** Builds the condition that the project of a thing still exists when a transaction is stored; none for a thing of all projects. */
export function buildProjectCheck(id: string | null | undefined): Write[] {
  return id === undefined || id === null ? [] : [buildExistenceCheck('project', id, projectKeys.project(id))];
}
