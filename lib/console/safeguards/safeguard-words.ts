import type { FlagMetric, SafeguardAction } from '../../features/plans/safeguard-schema.ts';

/** The actions of safeguards, as a sentence goes on after the safeguard. */
export const actionWords: Readonly<Record<SafeguardAction, string>> = {
  pauseReleasePlanProgressions: 'pauses the plan',
  startPreviousMilestone: 'goes back to the previous milestone and pauses the plan',
  disableFeatureEnvironment: 'switches the flag off',
};

/** The kinds of evidence that nobody has to send, in words. */
export const flagMetricNames: Readonly<Record<FlagMetric, string>> = {
  'flag:evaluations': 'Evaluations',
  'flag:yes-rate': 'Share of evaluations that are on',
  'flag:variant-share': 'Share of a variant',
  'flag:instances': 'Instances that report',
};

/** Names a metric in words; an impact metric has the name that applications report. */
export function nameMetric(metricName: string): string {
  return flagMetricNames[metricName as FlagMetric] ?? metricName;
}
