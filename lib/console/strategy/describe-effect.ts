import type { Audience } from '../preview/audience.ts';
import { percent } from '../words/numbers.ts';
import { type Draft, isShare } from './draft.ts';

/** Describes the reach of a strategy whose flag is off: nobody now, and a share later; undefined for a flag that is on. */
export function describeOff(environment: string, isOn: boolean, { after, users }: Audience): string | undefined {
  return isOn
    ? undefined
    : `The flag is off in ${environment}: nobody gets it until you switch it on. With this strategy, ${percent(after, users)} would.`;
}

/** Describes the typed share of a strategy, and the users whom it is taken of; undefined without a valid share. */
export function describeShare({ parameters, constraints, segments }: Draft): string | undefined {
  const { rollout } = parameters;
  if (rollout === undefined || !isShare(rollout)) return undefined;
  return `${rollout}% of ${constraints.length + segments.length > 0 ? 'those who meet the conditions' : 'all users'}`;
}

/** Says the effect of saving a strategy. */
export function describeSaved(environment: string, isOn: boolean): string {
  return isOn ? 'Saved. SDKs get it within seconds.' : `Saved. The flag is off in ${environment}.`;
}
