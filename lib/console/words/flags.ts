import type { Lifecycle } from '../../features/feature-schema.ts';
import type { IconName } from '../parts/icons.ts';

/** Types of flags in words. */
export const typeNames: Readonly<Record<string, string>> = {
  release: 'Release',
  experiment: 'Experiment',
  operational: 'Operational',
  'kill-switch': 'Kill switch',
  permission: 'Permission',
  sunset: 'Sunset',
};

export const typeIcons: Readonly<Record<string, IconName>> = {
  release: 'rocket',
  experiment: 'flask-conical',
  operational: 'settings-2',
  'kill-switch': 'power',
  permission: 'lock',
  sunset: 'sunset',
};

/** Stages in the life of a flag in words. */
export const stageNames: Readonly<Record<Lifecycle['stage'], string>> = {
  initial: 'New',
  'pre-live': 'In development',
  live: 'Live',
  completed: 'Completed',
  archived: 'Archived',
};
