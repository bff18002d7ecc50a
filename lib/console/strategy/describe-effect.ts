import type { AudienceCounts } from '../../delivery/preview/audience.ts';
import { percent } from '../words/numbers.ts';
import { type Draft, isShare } from './draft.ts';

/** The place of a strategy, as far as its effect depends on it. */
interface StrategyUse {
  readonly environment: string;
  readonly isOn: boolean;
  /** The milestone of a release plan that it belongs to, while that one is not active. */
  readonly milestone?: string | undefined;
}

/** Describes the reach of a strategy that SDKs do not get: nobody now, and a share later; undefined for one that they get. */
export function describeOff(
  { environment, isOn, milestone }: StrategyUse,
  { after, users }: AudienceCounts,
): string | undefined {
  const then = `With this strategy, ${percent(after, users)} would.`;
  if (!isOn) return `The flag is off in ${environment}: nobody gets it until you switch it on. ${then}`;
  return milestone === undefined ? undefined : `Nothing changes until the milestone “${milestone}” starts.`;
}

/** Describes the typed share of a strategy, and the users whom it is taken of; undefined without a valid share. */
export function describeShare({ parameters, constraints, segments }: Draft): string | undefined {
  const { rollout } = parameters;
  if (rollout === undefined || !isShare(rollout)) return undefined;
  return `${rollout}% of ${constraints.length + segments.length > 0 ? 'those who meet the conditions' : 'all users'}`;
}

/** Describes the effect of saving a strategy. */
export function describeSaved({ environment, isOn, milestone }: StrategyUse): string {
  if (!isOn) return `Saved. The flag is off in ${environment}.`;
  return milestone === undefined
    ? 'Saved. SDKs get it within seconds.'
    : `Saved. SDKs get it when the milestone “${milestone}” starts.`;
}
