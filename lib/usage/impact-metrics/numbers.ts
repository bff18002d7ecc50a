/** The names of attributes of the items of minutes, hours and labels. `id` is that of a series; it contains no colon. */
export const attributes = {
  labels: (id: string) => `l:${id}`,
  seriesOf: (attribute: string) => (attribute.startsWith('l:') ? attribute.slice(2) : undefined),
  /** The bound of a bucket that any series has. */
  bound: (bound: string) => `le:${bound}`,
  /** The increase of a counter, or the last value of a gauge. */
  value: (id: string) => `v:${id}`,
  /** The sum of a histogram's observations, or of the values of a gauge, and the number of these values. */
  sum: (id: string) => `s:${id}`,
  number: (id: string) => `n:${id}`,
  /** The number of a histogram's observations above the bound before and up to this one. */
  bucket: (id: string, bound: string) => `b:${id}:${bound}`,
};

/** The measurements of one series, or of several together, in some time. */
export interface Numbers {
  value: number;
  sum: number;
  number: number;
  /** Observations by the upper bound of their bucket. */
  readonly counts: Map<number, number>;
}

export const createNumbers = (): Numbers => ({ value: 0, sum: 0, number: 0, counts: new Map() });

export function boundText(bound: number): string {
  return bound === Number.POSITIVE_INFINITY ? '+Inf' : String(bound);
}

/** Returns the bound that an attribute marks; undefined for another attribute. */
export function boundOf(attribute: string): number | undefined {
  return attribute.startsWith('le:') ? Number(attribute.slice(3)) : undefined;
}

/** Adds numbers to others. The value of a gauge becomes that of the later numbers with `isGauge`. */
export function mergeNumbers(to: Numbers, { value, sum, number, counts }: Numbers, isGauge = false): void {
  to.value = isGauge ? value : to.value + value;
  to.sum += sum;
  to.number += number;
  for (const [bound, count] of counts) to.counts.set(bound, (to.counts.get(bound) ?? 0) + count);
}

/** Parses the item of a minute or an hour into the numbers of each series. */
export function parseNumbers(item: Readonly<Record<string, unknown>>): Map<string, Numbers> {
  const series = new Map<string, Numbers>();
  for (const [attribute, number] of Object.entries(item)) {
    const [kind = '', id, bound] = attribute.split(':');
    if (id === undefined || typeof number !== 'number') continue;
    const numbers = series.get(id) ?? createNumbers();
    if (kind === 'v') numbers.value = number;
    else if (kind === 's') numbers.sum = number;
    else if (kind === 'n') numbers.number = number;
    else if (kind === 'b' && bound !== undefined) numbers.counts.set(toBound(bound), number);
    else continue;
    series.set(id, numbers);
  }
  return series;
}

function toBound(text: string): number {
  return text === '+Inf' ? Number.POSITIVE_INFINITY : Number(text);
}

/** Returns the number of a histogram's observations. */
export function countOf({ counts }: Numbers): number {
  return [...counts.values()].reduce((total, count) => total + count, 0);
}

/**
 * Estimates the value that a share of a histogram's observations do not exceed, as Prometheus does: observations are spread evenly
 * within their bucket, and those above all bounds count as the highest one. Undefined without observations.
 */
export function quantileOf({ counts }: Numbers, share: number): number | undefined {
  const buckets = [...counts].toSorted(([a], [b]) => a - b);
  const rank = share * buckets.reduce((total, [, count]) => total + count, 0);
  if (rank === 0) return undefined;
  let before = 0;
  let lower = Math.min(0, buckets[0]?.[0] ?? 0);
  for (const [bound, count] of buckets) {
    if (before + count >= rank && count > 0) {
      return bound === Number.POSITIVE_INFINITY ? lower : lower + ((bound - lower) * (rank - before)) / count;
    }
    before += count;
    lower = bound;
  }
  return undefined;
}
