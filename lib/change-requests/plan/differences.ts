import { isDeepStrictEqual } from 'node:util';
import { isJsonObject } from '../../values/json.ts';
import type { RequestedChange } from '../change-request.ts';

/** A property of which somebody else has changed the value since a change was made on it. */
export interface Drift {
  /** Its name; empty where the change is about one value as a whole. */
  readonly property: string;
  readonly before: unknown;
  readonly now: unknown;
  readonly wanted: unknown;
}

/** Properties that say nothing of what a thing does: its place among others has changes of its own. */
const ignored: ReadonlySet<string> = new Set([
  'sortOrder',
  'strategyName',
  'featureName',
  'createdAt',
  'createdBy',
  'schedules',
  'id',
]);

/** Properties that only people read. An update keeps those that it leaves out, and does not rest on them. */
const words: ReadonlySet<string> = new Set(['title', 'description']);

/**
 * Returns the differences between what a change was made on and what is there now. What is missing counts as empty, as
 * Unleash's admin UI has it.
 */
export function driftOf(
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
  const isLeft = (property: string) => action?.startsWith('update') && words.has(property) && !(property in wanted);
  return [...new Set([...Object.keys(base), ...Object.keys(now)])]
    .filter((property) => !ignored.has(property) && !isLeft(property))
    .filter((property) => !isDeepStrictEqual(filled(base[property]), filled(now[property])))
    .map((property) => ({ property, before: base[property], now: now[property], wanted: wanted[property] }));
}

function filled(value: unknown): unknown {
  if (value === undefined || value === null || value === '') return '';
  return Array.isArray(value) && value.length === 0 ? '' : value;
}
