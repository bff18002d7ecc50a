import { expect, test } from 'vitest';
import { describeChart } from '../../../../lib/console/words/charts.ts';
import { shortValue } from '../../../../lib/console/words/impact-metrics.ts';

test('A chart is described by what it shows beside its name', () => {
  const chart = {
    ...({ metricName: 'orders', aggregationMode: 'p95', timeRange: 'day', yAxisMin: 'zero' } as const),
    labelSelectors: { appName: ['shop', 'office'], region: ['*'], checkout: [] },
  };
  expect(describeChart(chart)).toBe('95th percentile · Last 24 hours · appName shop, office · each region');
  expect(describeChart({ ...chart, title: 'Orders' })).toMatch(/^orders · /);
});

test('A value is written with three digits', () => {
  const values = [0, 0.12345, 12.345, -3, 999, 1_234, -45_678];
  expect(values.map(shortValue)).toEqual(['0', '0.123', '12.3', '-3', '999', '1.2k', '-46k']);
});
