import type {
  EnvironmentInput,
  EnvironmentOfProject,
  EnvironmentUpdate,
  ShownEnvironment,
} from '../../environments/environment-schema.ts';
import { change, read } from '../data/declare-call.ts';

/** An environment with its counts. */
export interface ListedEnvironment extends ShownEnvironment {
  readonly projectCount: number;
  readonly apiTokenCount: number;
  readonly enabledToggleCount: number;
}

const environments = '/api/admin/environments';
const environment = `${environments}/{name}` as const;
export const getAllEnvironments = read<{ readonly environments: readonly ListedEnvironment[] }>()(
  'getAllEnvironments',
  environments,
);
export const getEnvironment = read<ShownEnvironment>()('getEnvironment', environment);
export const getProjectEnvironments = read<{ readonly environments: readonly EnvironmentOfProject[] }>()(
  'getProjectEnvironments',
  `${environments}/project/{projectId}`,
);
export const createEnvironment = change<unknown, EnvironmentInput>()('createEnvironment', 'POST', environments);
export const updateEnvironment = change<unknown, EnvironmentUpdate>()(
  'updateEnvironment',
  'PUT',
  `${environments}/update/{name}`,
);
export const updateSortOrder = change<unknown, Readonly<Record<string, number>>>()(
  'updateSortOrder',
  'PUT',
  `${environments}/sort-order`,
);
export const toggleEnvironmentOn = change()('toggleEnvironmentOn', 'POST', `${environment}/on`);
export const toggleEnvironmentOff = change()('toggleEnvironmentOff', 'POST', `${environment}/off`);
export const removeEnvironment = change()('removeEnvironment', 'DELETE', environment);
