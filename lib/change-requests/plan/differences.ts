import { isDeepStrictEqual } from 'node:util';
import { isJsonObject } from '../../values/json.ts';
import type { RequestedChange } from '../change-request.ts';

/** A property that somebody else has changed since a change was requested. */
export interface Drift {
  /** The name of the property; empty if the change is about one value as a whole. */
  readonly property: string;
  readonly before: unknown;
  readonly now: unknown;
  readonly wanted: unknown;
}

/** Properties that do not affect evaluation, and positions, which have changes of their own. */
const ignored: ReadonlySet<string> = new Set([
  'sortOrder',
  'strategyName',
  'featureName',
  'createdAt',
  'createdBy',
  'schedules',
  'id',
]);

/** Properties that only people read. An update keeps the omitted ones, so it does not depend on their old values. */
const texts: ReadonlySet<string> = new Set(['title', 'description']);

/**
 * Returns the differences between the old value of a change and the present value. As in Unleash's admin UI, a missing
 * value is the same as an empty one.
 */
export function findDrift(
  { action, base, payload }: Pick<RequestedChange, 'base' | 'payload'> & Partial<Pick<RequestedChange, 'action'>>,
  now: unknown,
): Drift[] {
  if (base === undefined) return [];
  if (!isJsonObject(base) || !isJsonObject(now)) {
    if (isDeepStrictEqual(base, now)) return [];
    const { variants } = isJsonObject(payload) ? payload : {};
    return [{ property: '', before: base, now, wanted: variants ?? payload }];
  }
  const wanted = isJsonObject(payload) ? payload : {};
  const isKept = (property: string) => action?.startsWith('update') && texts.has(property) && !(property in wanted);
  return [...new Set([...Object.keys(base), ...Object.keys(now)])]
    .filter((property) => !ignored.has(property) && !isKept(property))
    .filter((property) => !isDeepStrictEqual(normalize(base[property]), normalize(now[property])))
    .map((property) => ({ property, before: base[property], now: now[property], wanted: wanted[property] }));
}

function normalize(value: unknown): unknown {
  if (value === undefined || value === null || value === '') return '';
  return Array.isArray(value) && value.length === 0 ? '' : value;
}
