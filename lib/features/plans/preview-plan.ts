import type { FeatureEnvironment } from '../environments/feature-environment.ts';
import { listLiveStrategies } from '../environments/feature-environment.ts';
import { strategyViewOf } from '../strategies/strategy.ts';
import type { PlanPreview } from './plan-schema.ts';
import { findActiveMilestone, type PlanMilestone, type ReleasePlan } from './release-plan.ts';

/** Returns a plan as if a milestone were the active one. */
export function withActive<TPlan extends Pick<ReleasePlan, 'activeMilestoneId'>>(plan: TPlan, id: string): TPlan {
  return { ...plan, activeMilestoneId: id };
}

/**
 * Previews the plan of a feature in an environment: what SDKs get at each milestone, in their order, and when each starts if nobody
 * intervenes.
 * @param at the time for which the preview names the active milestone; a time in the past counts as now.
 */
export function previewPlan(state: FeatureEnvironment, plan: ReleasePlan, at: string): PlanPreview {
  const active = findActiveMilestone(plan);
  const starts = listStarts(plan, active, state.nextAt);
  const activeThen = plan.milestones.findLast((milestone) => {
    const start = starts.get(milestone);
    return milestone === active || (start !== undefined && start <= at);
  });
  return {
    at,
    activeMilestoneId: (active && activeThen?.id) ?? null,
    milestones: plan.milestones.map((milestone) => ({
      id: milestone.id,
      name: milestone.name,
      startsAt: starts.get(milestone) ?? (isBefore(plan, milestone, active) ? milestone.startedAt : undefined) ?? null,
      strategies: listLiveStrategies({ ...state, plan: withActive(plan, milestone.id) })
        .filter(({ disabled }) => !disabled)
        .map(strategyViewOf),
    })),
  };
}

/** Lists the start of the active milestone, and of those after it that start by themselves. */
function listStarts(
  { milestones }: ReleasePlan,
  active: PlanMilestone | undefined,
  nextAt: string | undefined,
): ReadonlyMap<PlanMilestone, string> {
  const starts = new Map<PlanMilestone, string>();
  if (active === undefined) return starts;
  if (active.startedAt !== undefined) starts.set(active, active.startedAt);
  let start = nextAt;
  for (const milestone of milestones.slice(milestones.indexOf(active) + 1)) {
    if (start === undefined) break;
    starts.set(milestone, start);
    const { intervalMinutes } = milestone.transitionCondition ?? {};
    start =
      intervalMinutes === undefined ? undefined : new Date(Date.parse(start) + intervalMinutes * 60_000).toISOString();
  }
  return starts;
}

function isBefore({ milestones }: ReleasePlan, milestone: PlanMilestone, active: PlanMilestone | undefined): boolean {
  return active !== undefined && milestones.indexOf(milestone) < milestones.indexOf(active);
}
