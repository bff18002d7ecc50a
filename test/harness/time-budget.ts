import { SharedTime } from '../../lib/values/time-budget.ts';

/** Returns a budget that is over after so many looks at its clock, so that a test does not depend on the time. */
export function createTimeBudget(looks: number): SharedTime {
  let passed = 0;
  return new SharedTime(looks + 1, () => passed++);
}
