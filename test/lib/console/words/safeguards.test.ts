import { describe, expect, test } from 'vitest';
import { describeEvidence, findWait } from '../../../../lib/console/safeguards/describe-evidence.ts';
import { describeTrigger, type SafeguardCondition } from '../../../../lib/console/words/safeguards.ts';
import type { ReleasePlanView } from '../../../../lib/features/plans/plan-schema.ts';

type Metric = SafeguardCondition['impactMetric'];

function conditionOf(metricName: string, operator: '<' | '>', threshold: number, more: Partial<Metric> = {}): string {
  const impactMetric: Metric = { metricName, timeRange: 'hour', aggregationMode: 'count', labelSelectors: {}, ...more };
  return describeTrigger({ impactMetric, triggerCondition: { operator, threshold } });
}

describe('A safeguard in words', () => {
  test('says when it acts', () => {
    expect(conditionOf('flag:evaluations', '<', 1_200)).toBe('fewer than 1.2k evaluations in the last hour');
    expect(conditionOf('flag:evaluations', '>', 5, { aggregationMode: 'rps', timeRange: 'day' })).toBe(
      'more than 5 evaluations a second in the last 24 hours',
    );
    expect(conditionOf('flag:instances', '<', 3)).toBe('fewer than 3 instances report in the last hour');
    expect(conditionOf('flag:yes-rate', '>', 0.29)).toBe('more than 29% of evaluations are on in the last hour');
    expect(conditionOf('flag:variant-share', '<', 0.2, { labelSelectors: { variant: ['blue'] } })).toBe(
      'less than 20% get the variant blue in the last hour',
    );
    expect(conditionOf('alarm:checkout: errors', '>', 0)).toBe('the CloudWatch alarm checkout: errors is on');
    expect(conditionOf('signal', '>', 0)).toBe('a signal comes from outside');
    expect(conditionOf('signal:smoke test', '>', 0)).toBe('the signal smoke test comes');
    const labelSelectors = { appName: ['shop', 'till'], region: ['*'], zone: [] };
    expect(conditionOf('latency', '>', 300, { aggregationMode: 'p95', labelSelectors })).toBe(
      'latency (95th percentile) is above 300 in the last hour for appName shop, till for any region',
    );
  });

  test('says what it measures, and how old that is', () => {
    const base = { state: 'quiet', value: 0.5, ageSeconds: 120, reason: null } as const;
    expect(describeEvidence('flag:yes-rate', base)).toBe('Share of evaluations that are on: 50%, 2 min ago');
    expect(describeEvidence('latency', { ...base, ageSeconds: 3 })).toBe('latency: 0.5, just now');
    expect(describeEvidence('signal', { ...base, state: 'triggered', value: 1, reason: 'Orders fail' })).toBe(
      'On, 2 min ago: Orders fail',
    );
    expect(describeEvidence('signal', { ...base, value: 0 })).toBe('Off, 2 min ago');
    const none = { state: 'no data', value: null, ageSeconds: null, reason: 'Nothing was reported.' } as const;
    expect(describeEvidence('latency', none)).toBe('No data: Nothing was reported.');
    expect(describeEvidence('latency', { ...none, state: 'idle' })).toBe('Not watched');
  });

  test('says until when it is not watched', () => {
    const idle = { state: 'idle', value: null, ageSeconds: null, reason: 'There is nothing to stop.' } as const;
    const milestones = [{ id: 'few', pausedAt: '2026-11-29T12:00:00Z' }];
    const releasePlans = [{ id: 'plan', activeMilestoneId: 'few', milestones }] as unknown as ReleasePlanView[];
    const tell = (enabled: boolean, planId?: string) =>
      describeEvidence('latency', idle, findWait({ enabled, releasePlans }, planId));
    expect(tell(false, 'plan')).toBe('Not watched until the flag is switched on');
    expect(tell(true, 'plan')).toBe('Not watched until the plan is resumed or a milestone starts');
    expect(findWait({ enabled: true, releasePlans }, undefined)).toBeUndefined();
  });
});
