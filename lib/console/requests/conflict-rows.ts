import type { ConsoleRequestPage } from '../../screens/request-schema.ts';
import { describeProperty, describeValue } from '../words/differences.ts';

type Drift = NonNullable<ConsoleRequestPage['preview']>['conflicts'][number]['differences'][number];

/** A value that somebody else has changed: as it was, as it is now, and as the request wants it. */
export interface ConflictRow {
  readonly label: string;
  readonly before: string;
  readonly now: string;
  readonly wanted: string;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Lists the values that differ, in words. An object, such as the parameters of a strategy, has a row for each property that differs. */
export function listConflictRows(differences: readonly Drift[]): ConflictRow[] {
  return differences.flatMap(({ property, before, now, wanted }) => {
    if (!isObject(before) || !isObject(now)) return [buildRow(property, before, now, wanted)];
    const names = [...new Set([...Object.keys(before), ...Object.keys(now)])];
    return names
      .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(now[name]))
      .map((name) => buildRow(name, before[name], now[name], isObject(wanted) ? wanted[name] : undefined));
  });
}

function buildRow(property: string, before: unknown, now: unknown, wanted: unknown): ConflictRow {
  const write = (value: unknown) => writeValue(property, value);
  return {
    label: property === '' ? 'Value' : describeProperty(property),
    ...{ before: write(before), now: write(now), wanted: write(wanted) },
  };
}

function writeValue(property: string, value: unknown): string {
  if (value === undefined || value === null || value === '') return '–';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(describeValue).join(', ');
  return `${describeValue(value)}${property === 'rollout' ? '%' : ''}`;
}
