import type { ListedFeature } from '../../features/feature-schema.ts';
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

const flags = '/api/admin/projects/{projectId}/features';
const flag = `${flags}/{featureName}` as const;

/** The properties of a flag that its page edits. */
interface FlagBody {
  readonly description?: string | null;
  readonly type?: string;
  readonly stale?: boolean;
  readonly impressionData?: boolean;
}
interface NewFlagBody extends FlagBody {
  readonly name: string;
  readonly tags: readonly FlagTag[];
}
export interface FlagTag {
  readonly type: string;
  readonly value: string;
}
export const createFeature = change<unknown, NewFlagBody>()('createFeature', 'POST', flags);
export const updateFeature = change<unknown, FlagBody>()('updateFeature', 'PUT', flag);
export const validateFeature = change<unknown, { readonly name: string; readonly projectId: string }>()(
  'validateFeature',
  'POST',
  '/api/admin/features/validate',
);
export const cloneFeature = change<unknown, { readonly name: string }>()('cloneFeature', 'POST', `${flag}/clone`);
export const changeProject = change<unknown, { readonly newProjectId: string }>()(
  'changeProject',
  'POST',
  `${flag}/changeProject`,
);
export const updateTags = change<
  unknown,
  { readonly addedTags: readonly FlagTag[]; readonly removedTags: readonly FlagTag[] }
>()('updateTags', 'PUT', '/api/admin/features/{featureName}/tags');

interface LinkBody {
  readonly url: string;
  readonly title: string | null;
}
export const createFeatureLink = change<unknown, LinkBody>()('createFeatureLink', 'POST', `${flag}/link`);
export const updateFeatureLink = change<unknown, LinkBody>()('updateFeatureLink', 'PUT', `${flag}/link/{linkId}`);
export const deleteFeatureLink = change()('deleteFeatureLink', 'DELETE', `${flag}/link/{linkId}`);

export interface ParentBody {
  readonly feature: string;
  readonly enabled: boolean;
  readonly variants?: readonly string[];
}
export const listParentOptions = read<readonly string[]>()('listParentOptions', `${flag}/parents`);
export const listParentVariantOptions = read<readonly string[]>()(
  'listParentVariantOptions',
  `${flag}/parent-variants`,
);
export const addFeatureDependency = change<unknown, ParentBody>()(
  'addFeatureDependency',
  'POST',
  `${flag}/dependencies`,
);
export const deleteFeatureDependencies = change()('deleteFeatureDependencies', 'DELETE', `${flag}/dependencies`);

export const archiveFeature = change()('archiveFeature', 'DELETE', flag);
export const reviveFeature = change()('reviveFeature', 'POST', '/api/admin/archive/revive/{featureName}');
export const deleteFeature = change()('deleteFeature', 'DELETE', '/api/admin/archive/{featureName}');
export const getArchivedFeatures = read<{ readonly features: readonly ListedFeature[] }>()(
  'getArchivedFeatures',
  '/api/admin/archive/features',
);
/** Flags of a project that are changed together. */
interface FlagNames {
  readonly features: readonly string[];
}
const inBulk = '/api/admin/projects/{projectId}/bulk_features/environments/{environment}';
export const bulkToggleFeaturesEnvironmentOn = change<unknown, FlagNames>()(
  'bulkToggleFeaturesEnvironmentOn',
  'POST',
  `${inBulk}/on`,
);
export const bulkToggleFeaturesEnvironmentOff = change<unknown, FlagNames>()(
  'bulkToggleFeaturesEnvironmentOff',
  'POST',
  `${inBulk}/off`,
);
export const staleFeatures = change<unknown, FlagNames & { readonly stale: boolean }>()(
  'staleFeatures',
  'POST',
  '/api/admin/projects/{projectId}/stale',
);
export const archiveFeatures = change<unknown, FlagNames>()(
  'archiveFeatures',
  'POST',
  '/api/admin/projects/{projectId}/archive',
);
export const addTagToFeatures = change<
  unknown,
  FlagNames & { readonly tags: { readonly addedTags: readonly FlagTag[]; readonly removedTags: readonly FlagTag[] } }
>()('addTagToFeatures', 'PUT', '/api/admin/projects/{projectId}/tags');
