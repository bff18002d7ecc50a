import { strategyViewOf } from '../strategies/strategy.ts';
import type { ReleasePlanView } from './plan-schema.ts';
import type { PlanMilestone, ReleasePlan } from './release-plan.ts';
import type { EnvironmentSafeguardView, PlanSafeguardView, Safeguard } from './safeguard-schema.ts';

/** The feature and the environment of a plan. */
interface PlanPlace {
  readonly feature: string;
  readonly environment: string;
}

/**
 * Returns a plan as replies and events show it. As on Unleash, its active milestone shows a pause.
 * @param nextAt the time at which the next milestone starts by itself.
 */
export function viewPlan(plan: ReleasePlan, { feature, environment }: PlanPlace, nextAt?: string): ReleasePlanView {
  const { movedOnAt: _movedOnAt, resumedAt: _resumedAt, ...shown } = plan;
  const { milestones, activeMilestoneId = null, pausedAt, safeguards = [], ...fields } = shown;
  const viewMilestone = ({ strategies, ...milestone }: PlanMilestone) => ({
    ...milestone,
    ...(pausedAt !== undefined && milestone.id === activeMilestoneId && { pausedAt }),
    releasePlanDefinitionId: plan.id,
    strategies: strategies.map((strategy) => ({
      ...strategyViewOf(strategy),
      milestoneId: milestone.id,
      strategyName: strategy.name,
    })),
  });
  return {
    ...fields,
    discriminator: 'plan',
    featureName: feature,
    environment,
    activeMilestoneId,
    nextAt: nextAt ?? null,
    milestones: milestones.map(viewMilestone),
    safeguards: safeguards.map((safeguard) => viewPlanSafeguard(plan.id, safeguard)),
  };
}

/** Returns the safeguards of a feature in an environment as replies and events show them. */
export function viewEnvironmentSafeguards(
  { name: featureName, project }: { readonly name: string; readonly project: string },
  environment: string,
  safeguards: readonly Safeguard[] = [],
): EnvironmentSafeguardView[] {
  return safeguards.map((safeguard) => viewEnvironmentSafeguard({ project, featureName, environment }, safeguard));
}

/** Returns a safeguard of a plan as replies and events show it. */
export function viewPlanSafeguard(planId: string, { action, ...safeguard }: Safeguard): PlanSafeguardView {
  return { ...safeguard, action: { ...action, id: planId } };
}

/** Returns a safeguard of a feature in an environment as replies and events show it. */
export function viewEnvironmentSafeguard(
  place: { readonly project: string; readonly featureName: string; readonly environment: string },
  safeguard: Safeguard,
): EnvironmentSafeguardView {
  return { ...safeguard, action: { type: 'disableFeatureEnvironment', ...place } };
}
