import { planEnvironmentChange } from '../../../lib/features/environments/change-environment.ts';
import type { FeatureEnvironment } from '../../../lib/features/environments/feature-environment.ts';
import type { SafeguardAction } from '../../../lib/features/plans/safeguard-schema.ts';
import { decideTriggers, listWatchedSafeguards } from '../../../lib/features/plans/trigger-safeguards.ts';
import { planRemoveSafeguard, planSetSafeguard } from '../../../lib/release-plans/change-safeguards.ts';
import type { Request } from '../../../lib/request.ts';
import type { Step } from './steps.ts';

/* What safeguards do to a feature, and people to safeguards. */

/** The id of the only safeguard of a plan. */
export const safeguardId = 'one';

interface PlanPath {
  readonly projectId: string;
  readonly featureName: string;
  readonly environment: string;
  readonly planId: string;
}

const actions: readonly SafeguardAction[] = [
  'pauseReleasePlanProgressions',
  'startPreviousMilestone',
  'disableFeatureEnvironment',
];

/** Returns the action of the safeguard that a step asks for. */
export function actionOf({ milestone }: Step) {
  return { type: actions[milestone] ?? 'startPreviousMilestone' };
}

/** Plans to give a plan a safeguard, or another threshold or action. */
export function planGuard(request: Request, path: PlanPath, step: Step) {
  const measure = { metricName: 'errors', timeRange: 'hour', aggregationMode: 'count', source: 'internal' } as const;
  const triggerCondition = { operator: '>', threshold: step.minutes } as const;
  const impactMetric = { ...measure, labelSelectors: {} };
  const input = { id: safeguardId, impactMetric, triggerCondition, action: actionOf(step) };
  return planSetSafeguard(request, path, input);
}

export function planUnguard(request: Request, path: PlanPath) {
  return planRemoveSafeguard(request, path, safeguardId);
}

/**
 * Plans the actions of all safeguards that were watched.
 * @param evaluated the state of which the evidence is.
 */
export function planTrip(request: Request, path: PlanPath, evaluated: FeatureEnvironment) {
  return planEnvironmentChange(request, path, {
    decide: ({ feature, state }, at) => {
      const evidence = { value: 1_000, at };
      const triggers = listWatchedSafeguards(evaluated).map((watched) => ({ ...watched, evidence }));
      return { ...decideTriggers(feature, path.environment, state, triggers, at), value: undefined };
    },
  });
}
