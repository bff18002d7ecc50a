import { invalid } from '../../errors.ts';
import { countExpressionSteps } from '../../segments/expression-limit.ts';
import { expressionStepsMax, tooManyStepsMessage } from '../../values/expression-steps.ts';
import type { Feature } from '../feature.ts';

/**
 * Refuses a feature whose regular expressions take too many steps in an environment, unless it had as many in any
 * environment before: features that were stored before this limit can still be changed and copied.
 * @throws ApiError 400.
 */
export function assertFewStepsOf(before: Feature | undefined, after: Feature): void {
  const listsBefore = [...(before?.environments.values() ?? [])].map(({ strategies }) => strategies);
  for (const [environment, { strategies }] of after.environments) {
    if (listsBefore.includes(strategies)) continue;
    const steps = countExpressionSteps(strategies);
    if (steps <= expressionStepsMax || listsBefore.some((list) => countExpressionSteps(list) >= steps)) continue;
    throw invalid(tooManyStepsMessage(`the feature "${after.name}" in "${environment}"`, steps));
  }
}
