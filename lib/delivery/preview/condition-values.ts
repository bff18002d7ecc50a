import type { Constraint } from '../../features/strategies/constraint-schema.ts';

/* Browsers run this code, too, so it does not import the schema of constraints, which knows the same lists. */

const withLists: ReadonlySet<string> = new Set([
  ...['IN', 'NOT_IN', 'STR_STARTS_WITH', 'STR_ENDS_WITH', 'STR_CONTAINS', 'IN_CIDR'],
]);

/** Tells whether an operator compares with a list of values, rather than with one. */
export function takesList(operator: Constraint['operator']): boolean {
  return withLists.has(operator);
}

/** Returns the values that a condition compares with. */
export function conditionValues({ operator, values = [], value }: Constraint): readonly string[] {
  if (takesList(operator)) return values;
  return value === undefined ? [] : [value];
}
