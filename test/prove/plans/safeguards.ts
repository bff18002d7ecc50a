import type { NewEvent } from '../../../lib/events/event.ts';
import { planEnvironmentChange } from '../../../lib/features/environments/change-environment.ts';
import { decideSwitchOff, type SwitchDecision } from '../../../lib/features/environments/switch-feature.ts';
import type { Feature, FeatureEnvironment } from '../../../lib/features/feature.ts';
import { buildFeatureEvent } from '../../../lib/features/feature-events.ts';
import { milestoneStarted, planPaused } from '../../../lib/features/plans/plan-events.ts';
import { findActiveMilestone, pausePlan, startMilestone } from '../../../lib/features/plans/release-plan.ts';
import type { Safeguard } from '../../../lib/features/plans/safeguard-schema.ts';
import type { Request } from '../../../lib/request.ts';
import type { Step } from './steps.ts';

/* What safeguards do to a feature, and people to safeguards. */

interface Path {
  readonly projectId: string;
  readonly featureName: string;
  readonly environment: string;
}

/** Plans to give a plan a safeguard, or another threshold; undefined removes it. */
export function planGuard(request: Request, path: Path, threshold: number | undefined) {
  return planEnvironmentChange(request, path, {
    decide: ({ feature, state }) => {
      const { plan } = state;
      if (plan === undefined) return { state, events: [], value: undefined };
      const { safeguards: _old, ...others } = plan;
      const safeguards = threshold === undefined ? {} : { safeguards: [safeguardWith(threshold)] };
      const event = buildFeatureEvent(feature, 'feature-metadata-updated', { environment: path.environment });
      return { state: { ...state, plan: { ...others, ...safeguards } }, events: [event], value: undefined };
    },
  });
}

function safeguardWith(threshold: number): Safeguard {
  const measure = { metricName: 'errors', timeRange: 'hour', aggregationMode: 'count' } as const;
  const impactMetric = { id: 'one', ...measure, labelSelectors: {} };
  const action = { type: 'pauseReleasePlanProgressions' } as const;
  return { id: 'one', impactMetric, triggerCondition: { operator: '>', threshold }, action };
}

/** Plans what a safeguard does when it triggers. */
export function planTrip(request: Request, path: Path, does: Step['does']) {
  return planEnvironmentChange(request, path, {
    decide: ({ feature, state }, at) => ({ ...act(feature, path.environment, state, does, at), value: undefined }),
  });
}

function act(
  feature: Feature,
  environment: string,
  state: FeatureEnvironment,
  does: Step['does'],
  at: string,
): SwitchDecision {
  const { plan } = state;
  if (does === 'trip to disable') return decideSwitchOff(feature, environment, state);
  if (!state.enabled || plan?.activeMilestoneId === undefined || plan.pausedAt !== undefined)
    return { state, events: [] };
  const before = findActiveMilestone(plan);
  const index = before === undefined ? -1 : plan.milestones.indexOf(before);
  const back = does === 'trip to go back' && plan.milestones.slice(0, index).findLast(({ startedAt }) => startedAt);
  const events: NewEvent[] = [planPaused(feature, environment, plan)];
  if (!back) return { state: { ...state, plan: pausePlan(plan, at) }, events };
  return {
    state: { ...state, plan: pausePlan(startMilestone(plan, back.id, at), at) },
    events: [milestoneStarted(feature, environment, plan, { milestone: back, before }), ...events],
  };
}
