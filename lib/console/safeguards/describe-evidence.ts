import type { FlagMetric } from '../../features/plans/safeguard-schema.ts';
import type { SafeguardEvidenceView } from '../../safeguards/safeguard-evidence-schema.ts';
import { describeMeasured, kindOfMetric } from '../words/safeguards.ts';
import { describeSpan } from '../words/times.ts';

/** The kinds of evidence that nobody has to send, in words. */
export const flagMetricNames: Readonly<Record<FlagMetric, string>> = {
  'flag:evaluations': 'Evaluations',
  'flag:yes-rate': 'Share of evaluations that are on',
  'flag:variant-share': 'Share of a variant',
  'flag:instances': 'Instances that report',
};

/** Describes the evidence of a safeguard and its age. */
export function describeEvidence(
  metricName: string,
  { state, value, ageSeconds, reason }: Pick<SafeguardEvidenceView, 'state' | 'value' | 'ageSeconds' | 'reason'>,
): string {
  const because = reason === null || reason === '' ? '' : `: ${reason}`;
  if (state === 'idle') return 'Not watched, since there is nothing to stop';
  if (value === null) return `No data${because}`;
  const age = ageSeconds === null || ageSeconds < 45 ? 'just now' : `${describeSpan(ageSeconds)} ago`;
  const kind = kindOfMetric(metricName);
  if (kind === 'alarm' || kind === 'signal') return `${value > 0 ? 'On' : 'Off'}, ${age}${because}`;
  return `${describeMeasured(metricName, value)}, ${age}${because}`;
}
