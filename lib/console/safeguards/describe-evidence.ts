import type { FeatureEnvironmentView } from '../../features/feature-schema.ts';
import type { SafeguardEvidenceView } from '../../safeguards/safeguard-evidence-schema.ts';
import { progressOf } from '../words/plans.ts';
import { describeMeasured, isOnOrOff } from '../words/safeguards.ts';
import { describeSpan } from '../words/times.ts';
import { nameMetric } from './safeguard-words.ts';

/** Returns the event until which a safeguard is not watched; undefined while it is. @param planId undefined for one of the flag itself. */
export function findWait(
  { enabled, releasePlans }: Pick<FeatureEnvironmentView, 'enabled' | 'releasePlans'>,
  planId: string | undefined,
): string | undefined {
  if (!enabled) return 'the flag is switched on';
  const plan = releasePlans.find(({ id }) => id === planId);
  return plan !== undefined && progressOf(plan).isPaused ? 'the plan is resumed or a milestone starts' : undefined;
}

/** Describes the evidence of a safeguard and its age. @param wait the event until which it is not watched. */
export function describeEvidence(
  metricName: string,
  { state, value, ageSeconds, reason }: Pick<SafeguardEvidenceView, 'state' | 'value' | 'ageSeconds' | 'reason'>,
  wait?: string,
): string {
  const because = reason === null || reason === '' ? '' : `: ${reason}`;
  if (state === 'idle') return wait === undefined ? 'Not watched' : `Not watched until ${wait}`;
  if (value === null) return `No data${because}`;
  const age = ageSeconds === null || ageSeconds < 45 ? 'just now' : `${describeSpan(ageSeconds)} ago`;
  if (isOnOrOff(metricName)) return `${value > 0 ? 'On' : 'Off'}, ${age}${because}`;
  return `${nameMetric(metricName)}: ${describeMeasured(metricName, value)}, ${age}${because}`;
}
