import type { EnvironmentOfProject } from '../../environments/environment-schema.ts';
import type { ShownProjectAccess } from '../../people/rights/project-access-schema.ts';
import type {
  ChangeRequestConfig,
  ProjectInput,
  ProjectOverview,
  ProjectSettings,
  ProjectUpdate,
} from '../../projects/project-schema.ts';
import type { ConsoleProjects } from '../../screens/projects-schema.ts';
import { change, read } from '../data/declare-call.ts';
import type { StrategyBody } from './strategies.ts';

const projects = '/api/admin/projects';
const project = `${projects}/{projectId}` as const;
export const getConsoleProjects = read<ConsoleProjects>()('getConsoleProjects', '/api/admin/console/projects');
export const getProjectOverview = read<ProjectOverview>()('getProjectOverview', `${project}/overview`);
export const createProject = change<{ readonly id: string }, ProjectInput>()('createProject', 'POST', projects);
export const updateProject = change<unknown, ProjectUpdate>()('updateProject', 'PUT', project);
export const updateProjectEnterpriseSettings = change<unknown, ProjectSettings>()(
  'updateProjectEnterpriseSettings',
  'PUT',
  `${project}/settings`,
);
export const archiveProject = change()('archiveProject', 'POST', `${projects}/archive/{projectId}`);
export const reviveProject = change()('reviveProject', 'POST', `${projects}/revive/{projectId}`);
export const deleteProject = change()('deleteProject', 'DELETE', project);
export const addFavoriteProject = change()('addFavoriteProject', 'POST', `${project}/favorites`);
export const removeFavoriteProject = change()('removeFavoriteProject', 'DELETE', `${project}/favorites`);

const environment = `${project}/environments/{environment}` as const;
export const addEnvironmentToProject = change<unknown, { readonly environment: string }>()(
  'addEnvironmentToProject',
  'POST',
  `${project}/environments`,
);
export const removeEnvironmentFromProject = change()('removeEnvironmentFromProject', 'DELETE', environment);
/** The strategy that a flag gets which is switched on without one. */
export type DefaultStrategy = NonNullable<EnvironmentOfProject['defaultStrategy']>;
export const addDefaultStrategyToProjectEnvironment = change<unknown, DefaultStrategy | StrategyBody>()(
  'addDefaultStrategyToProjectEnvironment',
  'POST',
  `${environment}/default-strategy`,
);
export type EnvironmentRules = {
  readonly environment: string;
  readonly type: string;
  readonly changeRequestEnabled: boolean;
} & Omit<ChangeRequestConfig, 'changeRequestsEnabled'>;
export const getProjectChangeRequestConfig = read<readonly EnvironmentRules[]>()(
  'getProjectChangeRequestConfig',
  `${project}/change-requests/config`,
);
export const updateProjectChangeRequestConfig = change<unknown, ChangeRequestConfig>()(
  'updateProjectChangeRequestConfig',
  'PUT',
  `${environment}/change-requests/config`,
);

interface Roles {
  readonly roles: readonly number[];
}
export const getProjectAccess = read<ShownProjectAccess>()('getProjectAccess', `${project}/access`);
export const addAccessToProject = change<
  unknown,
  Roles & { readonly users: readonly number[]; readonly groups: readonly number[] }
>()('addAccessToProject', 'POST', `${project}/access`);
export const setRolesForUser = change<unknown, Roles>()('setRolesForUser', 'PUT', `${project}/users/{userId}/roles`);
export const setRolesForGroup = change<unknown, Roles>()(
  'setRolesForGroup',
  'PUT',
  `${project}/groups/{groupId}/roles`,
);
export const removeUserAccess = change()('removeUserAccess', 'DELETE', `${project}/users/{userId}/roles`);
export const removeGroupAccess = change()('removeGroupAccess', 'DELETE', `${project}/groups/{groupId}/roles`);
