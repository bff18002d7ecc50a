import { invalid } from '../../errors.ts';
import { countExpressionSteps } from '../../segments/expression-limit.ts';
import { expressionStepsMax, tooManyStepsMessage } from '../../values/expression-steps.ts';
import type { Feature } from '../feature.ts';

/**
 * Refuses a feature whose regular expressions would take too many steps in an environment, unless it has had as many in this
 * or another one: what was stored before there was a limit may be changed otherwise, and copied.
 * @throws ApiError 400.
 */
export function assertFewStepsOf(before: Feature | undefined, after: Feature): void {
  const had = [...(before?.environments.values() ?? [])].map(({ strategies }) => strategies);
  for (const [environment, { strategies }] of after.environments) {
    if (had.includes(strategies)) continue;
    const steps = countExpressionSteps(strategies);
    if (steps <= expressionStepsMax || had.some((each) => countExpressionSteps(each) >= steps)) continue;
    throw invalid(tooManyStepsMessage(`the feature "${after.name}" in "${environment}"`, steps));
  }
}
