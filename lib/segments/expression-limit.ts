import { invalid } from '../errors.ts';
import type { Constraint } from '../features/strategies/constraint-schema.ts';
import { countSteps, expressionStepsMax, tooManySteps } from '../values/expression-steps.ts';

/** Things with constraints. */
type Constrained = readonly { readonly constraints?: readonly Constraint[] | undefined }[];

/** Returns the steps that regular expressions take for each character of a value: an evaluation takes those of equal ones once. */
export function expressionSteps(all: Constrained): number {
  const expressions = all
    .flatMap(({ constraints = [] }) => constraints)
    .filter(({ operator }) => operator === 'REGEX')
    .map(({ contextName, value = '', caseInsensitive = false }) => ({ contextName, value, caseInsensitive }));
  const different = new Map(expressions.map((each) => [JSON.stringify(each), each.value]));
  return [...different.values()].reduce((sum, value) => sum + countSteps(value), 0);
}

/**
 * Refuses regular expressions that take too many steps together. What takes as many already may stay, and be changed
 * otherwise.
 * @throws ApiError 400.
 */
export function assertFewSteps(whose: string, before: Constrained, after: Constrained): void {
  const steps = expressionSteps(after);
  if (steps > expressionStepsMax && steps > expressionSteps(before)) throw invalid(tooManySteps(whose, steps));
}
