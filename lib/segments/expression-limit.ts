import { invalid } from '../errors.ts';
import type { Constraint } from '../features/strategies/constraint-schema.ts';
import { countSteps, expressionStepsMax, tooManyStepsMessage } from '../values/expression-steps.ts';

/** Strategies or segments. */
type Constrained = readonly { readonly constraints?: readonly Constraint[] | undefined }[];

/** Counts the steps of all regular expressions per character of a value. Equal ones count once, as in an evaluation. */
export function countExpressionSteps(items: Constrained): number {
  const expressions = items
    .flatMap(({ constraints = [] }) => constraints)
    .filter(({ operator }) => operator === 'REGEX')
    .map(({ contextName, value = '', caseInsensitive = false }) => ({ contextName, value, caseInsensitive }));
  const distinct = new Map(expressions.map((expression) => [JSON.stringify(expression), expression.value]));
  return [...distinct.values()].reduce((sum, value) => sum + countSteps(value), 0);
}

/**
 * Refuses regular expressions with too many steps in total, unless there were as many before.
 * @param whose the owner of the expressions in the error, such as "a segment".
 * @throws ApiError 400.
 */
export function assertFewSteps(whose: string, before: Constrained, after: Constrained): void {
  const steps = countExpressionSteps(after);
  if (steps > expressionStepsMax && steps > countExpressionSteps(before))
    throw invalid(tooManyStepsMessage(whose, steps));
}
