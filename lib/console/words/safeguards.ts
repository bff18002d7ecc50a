import type { Safeguard } from '../../features/plans/safeguard-schema.ts';
import { aggregationNames, rangeNames, shortValue } from './impact-metrics.ts';

/** The part of a safeguard that says when it acts. */
export type SafeguardCondition = Pick<Safeguard, 'triggerCondition'> & {
  readonly impactMetric: Pick<
    Safeguard['impactMetric'],
    'metricName' | 'timeRange' | 'aggregationMode' | 'labelSelectors'
  >;
};

/** Returns the kind of evidence of a metric. */
export function kindOfMetric(metricName: string): 'flag' | 'alarm' | 'signal' | 'metric' {
  if (metricName.startsWith('flag:')) return 'flag';
  if (metricName.startsWith('alarm:')) return 'alarm';
  return metricName === 'signal' || metricName.startsWith('signal:') ? 'signal' : 'metric';
}

/** Tells whether a metric is only on or off: an alarm or a signal. */
export const isOnOrOff = (metricName: string) => ['alarm', 'signal'].includes(kindOfMetric(metricName));

/** Tells whether a metric is a share: from 0 to 1 for the service, and in per cent for people. */
export const isShareMetric = (metricName: string) => /^flag:(?:yes-rate|variant-share)$/.test(metricName);

/** Writes a value of a metric: "0.25", "12%", "1.1k". */
export function describeMeasured(metricName: string, value: number): string {
  return isShareMetric(metricName) ? `${Number((value * 100).toPrecision(3))}%` : shortValue(value);
}

/** Describes the condition on which a safeguard acts: "fewer than 100 evaluations in the last hour". */
export function describeTrigger({ impactMetric, triggerCondition }: SafeguardCondition): string {
  const { metricName, timeRange, aggregationMode, labelSelectors } = impactMetric;
  const { operator, threshold } = triggerCondition;
  const range = `in the ${rangeNames[timeRange].toLowerCase()}`;
  const value = describeMeasured(metricName, threshold);
  const [many, much] = operator === '<' ? ['fewer', 'less'] : ['more', 'more'];
  switch (metricName) {
    case 'flag:evaluations':
      return `${many} than ${value} evaluations${aggregationMode === 'rps' ? ' a second' : ''} ${range}`;
    case 'flag:instances':
      return `${many} than ${value} instances report ${range}`;
    case 'flag:yes-rate':
      return `${much} than ${value} of evaluations are on ${range}`;
    case 'flag:variant-share':
      return `${much} than ${value} get the variant ${labelSelectors.variant?.[0] ?? ''} ${range}`;
    default:
  }
  const name = metricName.slice(metricName.indexOf(':') + 1);
  const kind = kindOfMetric(metricName);
  if (kind === 'alarm') return `the CloudWatch alarm ${name} is on`;
  if (kind === 'signal') return metricName === 'signal' ? 'a signal comes from outside' : `the signal ${name} comes`;
  const labels = Object.entries(labelSelectors)
    .filter(([, values]) => values.length > 0)
    .map(([label, values]) => (values.includes('*') ? `for any ${label}` : `for ${label} ${values.join(', ')}`));
  const how = aggregationNames[aggregationMode].toLowerCase();
  return [`${metricName} (${how}) is ${operator === '<' ? 'below' : 'above'} ${value}`, range, ...labels].join(' ');
}

/** A condition as events have it. */
interface PartialCondition {
  readonly impactMetric?: Partial<SafeguardCondition['impactMetric']>;
  readonly triggerCondition?: Partial<SafeguardCondition['triggerCondition']>;
}

/** Describes the condition of a safeguard in the data of an event or of a requested change; empty if there is none. */
export function describeSafeguard(safeguard: Readonly<Record<string, unknown>> | null | undefined): string {
  const { impactMetric, triggerCondition } = (safeguard ?? {}) as PartialCondition;
  if (impactMetric === undefined) return '';
  return describeTrigger({
    impactMetric: { metricName: '', timeRange: 'hour', aggregationMode: 'count', labelSelectors: {}, ...impactMetric },
    triggerCondition: { operator: '>', threshold: 0, ...triggerCondition },
  });
}
