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
  const read = (of: usageKeys.ImpactItem, length: number) =>
    queryAll<Item>(request, usageKeys.impactPeriods(metric, of, textOf(from, length), textOf(to, length)));
  const [items, labelItems] = await Promise.all([read(kind, lengths[kind]), read('LABELS', lengths.HOUR)]);
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

const lengths = { MINUTE: 'yyyy-MM-ddThh:mm'.length, HOUR: 'yyyy-MM-ddThh'.length };

function textOf(seconds: number, length: number): string {
  return new Date(seconds * 1_000).toISOString().slice(0, length);
}

function startOf(text: string): number {
  return Date.parse(text.length === lengths.HOUR ? `${text}:00Z` : `${text}Z`) / 1_000;
}
