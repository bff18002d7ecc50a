import { monthlyPrices } from '../../../infra/prices.ts';

/** The most that the stack may cost in a month in which nobody calls it, in US dollars. */
export const atRestMax = 0.5;

interface Resource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}

/** What the resources of one type cost at rest. */
export interface AtRest {
  readonly type: string;
  readonly count: number;
  readonly free: number;
  readonly each: number;
  readonly dollars: number;
}

/**
 * What a stack costs in a month in which nobody calls it, by the type of its resources, the dearest first.
 * @throws Error when there is a type whose price nobody has looked up.
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

/** How often a resource is charged: an alarm on several metrics for each of them. */
function billedOf({ Properties }: Resource): number {
  const metrics = Properties?.Metrics;
  return Array.isArray(metrics) ? metrics.filter((metric) => 'MetricStat' in metric).length : 1;
}

/** What a stack costs altogether. */
export function dollarsAtRest(rows: readonly AtRest[]): number {
  return Math.round(rows.reduce((sum, { dollars }) => sum + dollars * 100, 0)) / 100;
}
