import type { Request } from '../../request.ts';
import { queryAll } from '../../store/read.ts';
import * as usageKeys from '../keys.ts';
import { attributes, type Numbers, parseNumbers } from './numbers.ts';

/** Labels by name. */
export type Labels = Readonly<Record<string, string>>;

/** The measurements of a metric in a minute or an hour. Without any series, it was reported, and nothing happened. */
export interface Period {
  /** The beginning, in seconds since 1970. */
  readonly start: number;
  readonly series: readonly { readonly labels: Labels; readonly numbers: Numbers }[];
}

type Item = Readonly<Record<string, unknown>> & { readonly sk: string };

/** Reads the minutes or hours of a metric that begin in a range of seconds since 1970, both inclusive, the oldest first. */
export async function loadPeriods(
  request: Request,
  metric: string,
  kind: Exclude<usageKeys.ImpactItem, 'LABELS'>,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<Period[]> {
  const read = (item: usageKeys.ImpactItem, nameOf: (time: Date) => string) => {
    const [first, last] = [nameOf(new Date(from * 1_000)), nameOf(new Date(to * 1_000))];
    return queryAll<Item>(request, usageKeys.impactPeriods(metric, item, first, last));
  };
  const nameOf = { MINUTE: minuteOf, HOUR: hourOf }[kind];
  const [items, labelItems] = await Promise.all([read(kind, nameOf), read('LABELS', hourOf)]);
  const labels = new Map(
    labelItems.flatMap(Object.entries).flatMap(([attribute, value]) => {
      const id = attributes.seriesOf(attribute);
      return id === undefined ? [] : [[id, Object.fromEntries(JSON.parse(String(value))) as Labels] as const];
    }),
  );
  return items.map((item) => ({
    start: startOf(item.sk.slice(kind.length + 1)),
    series: [...parseNumbers(item)].flatMap(([id, numbers]) => {
      const known = labels.get(id);
      return known === undefined ? [] : [{ labels: known, numbers }];
    }),
  }));
}

const lengths = { minute: 'yyyy-MM-ddThh:mm'.length, hour: 'yyyy-MM-ddThh'.length };

/** Returns the name of the minute that a time is in. */
export function minuteOf(time: Date): string {
  return time.toISOString().slice(0, lengths.minute);
}

/** Returns the name of the hour that a time is in. */
export function hourOf(time: Date): string {
  return time.toISOString().slice(0, lengths.hour);
}

/** Returns the beginning of a minute or an hour, in seconds since 1970. */
function startOf(name: string): number {
  return Date.parse(name.length === lengths.hour ? `${name}:00Z` : `${name}Z`) / 1_000;
}
