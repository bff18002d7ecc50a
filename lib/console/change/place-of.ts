import type { ConsoleFlag } from '../../screens/flag-schema.ts';
import type { SwitchPlace } from './change-way.ts';

/** Returns the place of a flag in an environment, with the approvals that a change needs there. */
export function placeOf({ feature, environments }: ConsoleFlag, environment: string): SwitchPlace {
  const approvals = environments.find(({ name }) => name === environment)?.approvals;
  return { flag: feature.name, project: feature.project, environment, approvals };
}
