import type { ConsoleFlag } from '../../screens/flag-schema.ts';
import type { ConsoleFlags } from '../../screens/flags-schema.ts';
import type { ConsoleNow } from '../../screens/now-schema.ts';
import { change, read } from '../data/declare-call.ts';

export const getConsoleFlag = read<ConsoleFlag>()(
  'getConsoleFlag',
  '/api/admin/console/projects/{projectId}/flags/{featureName}',
);
export const getConsoleFlags = read<ConsoleFlags>()('getConsoleFlags', '/api/admin/console/flags');
export const getConsoleNow = read<ConsoleNow>()('getConsoleNow', '/api/admin/console/now');

const inEnvironment = '/api/admin/projects/{projectId}/features/{featureName}/environments/{environment}';
export const toggleFeatureEnvironmentOn = change()('toggleFeatureEnvironmentOn', 'POST', `${inEnvironment}/on`);
export const toggleFeatureEnvironmentOff = change()('toggleFeatureEnvironmentOff', 'POST', `${inEnvironment}/off`);

const favorite = '/api/admin/projects/{projectId}/features/{featureName}/favorites';
export const addFavoriteFeature = change()('addFavoriteFeature', 'POST', favorite);
export const removeFavoriteFeature = change()('removeFavoriteFeature', 'DELETE', favorite);
