import type { FeatureEnvironmentView } from '../../features/feature-schema.ts';
import type { FlagMetric } from '../../features/plans/safeguard-schema.ts';
import type { SafeguardEvidenceView } from '../../safeguards/safeguard-evidence-schema.ts';
import { progressOf } from '../words/plans.ts';
import { describeMeasured, kindOfMetric } from '../words/safeguards.ts';
import { describeSpan } from '../words/times.ts';

/** The kinds of evidence that nobody has to send, in words. */
export const flagMetricNames: Readonly<Record<FlagMetric, string>> = {
  'flag:evaluations': 'Evaluations',
  'flag:yes-rate': 'Share of evaluations that are on',
  'flag:variant-share': 'Share of a variant',
  'flag:instances': 'Instances that report',
};

/** Returns the event until which a safeguard is not watched; undefined while it is. @param planId undefined for one of the flag itself. */
export function findWait(
  { enabled, releasePlans }: Pick<FeatureEnvironmentView, 'enabled' | 'releasePlans'>,
  planId: string | undefined,
): string | undefined {
  if (!enabled) return 'the flag is switched on';
  const plan = releasePlans.find(({ id }) => id === planId);
  return plan !== undefined && progressOf(plan).isPaused ? 'the plan is resumed' : undefined;
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
  const kind = kindOfMetric(metricName);
  if (kind === 'alarm' || kind === 'signal') return `${value > 0 ? 'On' : 'Off'}, ${age}${because}`;
  return `${describeMeasured(metricName, value)}, ${age}${because}`;
}
