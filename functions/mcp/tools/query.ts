import * as v from 'valibot';
import { count, id } from '../../../lib/values/primitives.ts';

/** The inputs of a tool that answers page by page. Pages are small, since a model pays for what it reads. */
export const pageInput = {
  limit: v.optional(v.pipe(id, v.maxValue(50)), 20),
  offset: v.optional(v.pipe(count, v.maxValue(100_000), v.description('How many to skip.')), 0),
};

/** Writes a filter in the query language of the API; undefined without a value, which excludes nothing. */
export function filterBy(operator: 'IS' | 'IS_NOT' | 'INCLUDE', value: string | undefined): string | undefined {
  return value === undefined ? undefined : `${operator}:${value}`;
}
