import { describe, expect, test } from 'vitest';
import { plotImpactMetric } from '../../../../lib/console/impact-metrics/plot-impact-metric.ts';

const replyOf = (...series: { metric: Record<string, string>; data: [number, string][] }[]) => ({
  ...{ start: '1000', end: '1400', step: '100', labels: {} },
  series,
});

describe('The lines of a chart', () => {
  test('lead from value to value, and have a gap where a metric was not reported', () => {
    const data: [number, string][] = [
      [1000, '0'],
      [1100, '2'],
      [1300, '4'],
    ];
    const { lines, ticks, times } = plotImpactMetric(replyOf({ metric: {}, data }), 'zero');
    expect(lines.map(({ name, path }) => [name, path])).toEqual([
      ['All', 'M0.00 100.00L0.00 100.00L25.00 50.00M75.00 0.00L75.00 0.00'],
    ]);
    expect(ticks).toEqual([0, 1, 2, 3, 4]);
    expect(times).toEqual([1000, 1100, 1300]);
  });

  test('lead to the value of a time that is not over yet by a path of its own', () => {
    const data: [number, string][] = [
      [1200, '4'],
      [1300, '4'],
      [1350, '1'],
    ];
    const plot = plotImpactMetric({ ...replyOf({ metric: {}, data }), step: '50' }, 'zero');
    expect(plot.lines.map(({ path, unfinished }) => [path, unfinished])).toEqual([
      ['M50.00 0.00L50.00 0.00M75.00 0.00L75.00 0.00L87.50 75.00', ''],
    ]);
    const later = plotImpactMetric({ ...replyOf({ metric: {}, data }), step: '50', end: '1375' }, 'zero');
    expect(later.lines.map(({ path, unfinished }) => [path, unfinished])).toEqual([
      ['M53.33 0.00L53.33 0.00M80.00 0.00L80.00 0.00', 'M80.00 0.00L93.33 75.00'],
    ]);
    expect([1300, 1350].map((time) => later.isUnfinished(time))).toEqual([false, true]);
  });

  test('are dots in the middle of a chart of one time', () => {
    const reply = { ...replyOf({ metric: {}, data: [[1000, '1']] }), end: '1000' };
    expect(plotImpactMetric(reply, 'zero').lines[0]?.unfinished).toBe('M50.00 0.00L50.00 0.00');
  });

  test('are sorted by their last value, and named by their labels', () => {
    const series = ['2', '30', '7'].map((value, index) => ({
      ...{ metric: { appName: `app-${index}`, region: 'eu' }, data: [[1000, value]] as [number, string][] },
    }));
    const { lines } = plotImpactMetric(replyOf(...series), 'auto');
    expect(lines.map(({ name }) => name)).toEqual(['app-1, eu', 'app-2, eu', 'app-0, eu']);
  });

  test.each([
    ['zero', [3, 97], [0, 50, 100]],
    ['auto', [103, 117], [100, 105, 110, 115, 120]],
    ['auto', [-3, 2], [-4, -2, 0, 2]],
    ['auto', [0.001, 0.0033], [0.001, 0.002, 0.003, 0.004]],
    ['auto', [7, 7], [6, 8]],
    ['auto', [0, 0], [0, 1]],
    ['zero', [1, 0], [0, 1]],
    ['zero', [0.5, 1], [0, 0.5, 1]],
    ['zero', [1e15, 1e15], [0, 5e14, 1e15]],
    ['auto', [], [0, 1]],
  ] as const)('from %s with the values %j are between the round values %j', (yAxisMin, values, expected) => {
    const data = values.map((value, index): [number, string] => [1000 + 100 * index, String(value)]);
    expect(plotImpactMetric(replyOf({ metric: {}, data }), yAxisMin).ticks).toEqual(expected);
  });
});
