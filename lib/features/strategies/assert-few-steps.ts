import { invalid } from '../../errors.ts';
import { countExpressionSteps } from '../../segments/expression-limit.ts';
import { expressionStepsMax, tooManyStepsMessage } from '../../values/expression-steps.ts';
import type { FeatureEnvironment } from '../environments/feature-environment.ts';
import { listLiveStrategies } from '../environments/feature-environment.ts';
import type { Feature } from '../feature.ts';

/**
 * Refuses a feature whose regular expressions take too many steps in an environment, unless it had as many in any
 * environment before: features that were stored before this limit can still be changed and copied.
 * @throws ApiError 400.
 */
export function assertFewStepsOf(before: Feature | undefined, after: Feature): void {
  const statesBefore = [...(before?.environments.values() ?? [])];
  for (const [environment, state] of after.environments) {
    if (statesBefore.some(({ strategies, plan }) => strategies === state.strategies && plan === state.plan)) continue;
    const steps = countMostSteps(state);
    if (steps <= expressionStepsMax || statesBefore.some((old) => countMostSteps(old) >= steps)) continue;
    throw invalid(tooManyStepsMessage(`the feature "${after.name}" in "${environment}"`, steps));
  }
}

/** Counts the steps of the strategies that a feature has in an environment, with the most expensive milestone of its plan. */
function countMostSteps(state: FeatureEnvironment): number {
  const { plan } = state;
  const states = plan?.milestones.map(({ id }) => ({ ...state, plan: { ...plan, activeMilestoneId: id } })) ?? [state];
  return Math.max(...states.map((each) => countExpressionSteps(listLiveStrategies(each))));
}
