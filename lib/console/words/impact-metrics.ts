import type { AggregationMode } from '../../usage/impact-metrics/impact-metrics-schema.ts';
import { shortCount } from './numbers.ts';

export const rangeNames = {
  hour: 'Last hour',
  day: 'Last 24 hours',
  week: 'Last 7 days',
  month: 'Last 31 days',
} as const;

export const aggregationNames: Readonly<Record<AggregationMode, string>> = {
  count: 'Count',
  rps: 'Per second',
  sum: 'Sum',
  avg: 'Average',
  p50: 'Median',
  p95: '95th percentile',
  p99: '99th percentile',
};

/** Writes a value shortly: 0.25, 12, 1.1k. */
export function shortValue(value: number): string {
  return Math.abs(value) >= 1_000
    ? `${value < 0 ? '-' : ''}${shortCount(Math.abs(value))}`
    : String(Number(value.toPrecision(3)));
}
