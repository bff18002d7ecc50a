import { strategyViewOf } from '../strategies/strategy.ts';
import type { ReleasePlanView } from './plan-schema.ts';
import type { PlanMilestone, ReleasePlan } from './release-plan.ts';
import type { EnvironmentSafeguardView, Safeguard } from './safeguard-schema.ts';

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
  const { milestones, activeMilestoneId = null, pausedAt, resumedAt: _resumedAt, safeguards = [], ...fields } = plan;
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
    safeguards: safeguards.map(({ action, ...safeguard }) => ({ ...safeguard, action: { ...action, id: plan.id } })),
  };
}

/** Returns the safeguards of a feature in an environment as replies and events show them. */
export function viewEnvironmentSafeguards(
  { name: featureName, project }: { readonly name: string; readonly project: string },
  environment: string,
  safeguards: readonly Safeguard[] = [],
): EnvironmentSafeguardView[] {
  const action = { type: 'disableFeatureEnvironment', project, featureName, environment } as const;
  return safeguards.map((safeguard) => ({ ...safeguard, action }));
}
