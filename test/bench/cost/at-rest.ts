import { monthlyPrices } from '../../../infra/prices.ts';

/** The most that the stack may cost in a month in which nobody calls it, in US dollars. */
export const atRestMax = 0.5;

interface Resource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}

/** Cost at rest of all resources of one type. */
export interface AtRest {
  readonly type: string;
  readonly count: number;
  readonly free: number;
  readonly each: number;
  readonly dollars: number;
}

/**
 * Returns the monthly cost of an idle stack by type of resource, the dearest first.
 * @throws Error for a type without a known price.
 */
export function atRest(resources: readonly Resource[]): AtRest[] {
  const rows = [...Map.groupBy(resources, ({ Type }) => Type)].map(([type, some]) => {
    const price = monthlyPrices[type];
    if (price === undefined) throw new Error(`infra/prices.ts does not say what ${type} costs at rest.`);
    const { each, free = 0 } = price;
    const count = some.map(billedOf).reduce((sum, billed) => sum + billed);
    // In cents, since the sum is compared.
    return { type, count, free, each, dollars: (Math.max(0, count - free) * Math.round(each * 100)) / 100 };
  });
  return rows.toSorted((one, other) => other.dollars - one.dollars || other.each - one.each);
}

/** Returns the number of charges for a resource: an alarm is charged for each of its metrics. */
function billedOf({ Properties }: Resource): number {
  const metrics = Properties?.Metrics;
  return Array.isArray(metrics) ? metrics.filter((metric) => 'MetricStat' in metric).length : 1;
}

/** Returns the monthly cost of the whole stack. */
export function dollarsAtRest(rows: readonly AtRest[]): number {
  return Math.round(rows.reduce((sum, { dollars }) => sum + dollars * 100, 0)) / 100;
}
