import type { IconName } from './icons.ts';

/** The icons of the types of flags. */
export const typeIcons: Readonly<Record<string, IconName>> = {
  release: 'rocket',
  experiment: 'flask-conical',
  operational: 'settings-2',
  'kill-switch': 'power',
  permission: 'lock',
  sunset: 'sunset',
};
