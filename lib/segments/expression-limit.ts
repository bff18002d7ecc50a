import { invalid } from '../errors.ts';
import type { Constraint } from '../features/strategies/constraint-schema.ts';
import { re2Extent } from '../features/strategies/re2-syntax-schema.ts';

/**
 * The most steps that the regular expressions of a feature in an environment may take for each character of a value, and those of
 * a segment. Anybody who may have features evaluated makes the service take them.
 */
export const expressionStepsMax = 3_000;

/** Things with constraints. */
type Constrained = readonly { readonly constraints?: readonly Constraint[] | undefined }[];

/** Returns the steps that regular expressions take for each character of a value: an evaluation takes those of equal ones once. */
export function expressionSteps(all: Constrained): number {
  const expressions = all
    .flatMap(({ constraints = [] }) => constraints)
    .filter(({ operator }) => operator === 'REGEX')
    .map(({ contextName, value = '', caseInsensitive = false }) => ({ contextName, value, caseInsensitive }));
  const different = new Map(expressions.map((each) => [JSON.stringify(each), each.value]));
  return [...different.values()].reduce((sum, value) => sum + (re2Extent(value)?.instructions ?? 0), 0);
}

/** Returns the error about too many steps. @param whose that have the expressions, as in "a segment". */
export function tooManySteps(whose: string, steps: number): string {
  return `The regular expressions of ${whose} take ${steps} steps for each character of a value, and at most ${expressionStepsMax} are allowed; those that are equal count once, repetitions such as {9} as often as they say.`;
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
