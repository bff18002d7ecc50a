import { findActiveMilestone, findNextMilestone, type ReleasePlan } from './release-plan.ts';

/** The release plan of a feature in an environment, as lists and the clock need it. It is part of the summary of the environment. */
export interface PlanSummary {
  readonly milestones: number;
  /** The active milestone and its index; missing until the feature is switched on. */
  readonly active?: { readonly name: string; readonly order: number };
  readonly paused?: true;
  /** Marks that a person started a milestone during the pause, so that the safeguards watch again. */
  readonly movedOn?: true;
  /** Marks that a strategy of the feature itself serves everybody at each milestone. */
  readonly isForEverybody?: true;
  /** The number of safeguards; missing for none. */
  readonly safeguards?: number;
  /** The time at which the next milestone starts by itself. */
  readonly nextAt?: string;
  /** The rest of the interval in milliseconds, while the plan stands still. */
  readonly restMs?: number;
}

/** Returns the progress of a plan as lists show it; nothing without a plan. */
export function viewProgress(plan: PlanSummary | undefined) {
  if (plan === undefined) return {};
  const { milestones: totalMilestones, active } = plan;
  return { totalMilestones, ...(active && { milestoneName: active.name, milestoneOrder: active.order }) };
}

/** A plan that stood still never moves on at once when it runs again: people have time to look, and to pause it. */
const restMsMin = 60_000;

/** A plan and its summary before a change. */
interface PlanBefore {
  readonly plan?: ReleasePlan | undefined;
  readonly summary?: PlanSummary | undefined;
}

/**
 * Summarizes a plan. The time of the next milestone stays as it was, unless another milestone was started or the interval changed.
 * `moveClock` completes the result.
 * @param at the time of the change.
 */
export function summarizePlan(plan: ReleasePlan, before: PlanBefore, at: string): PlanSummary {
  const active = findActiveMilestone(plan);
  const summary = {
    milestones: plan.milestones.length,
    ...(active && { active: { name: active.name, order: plan.milestones.indexOf(active) } }),
    ...(plan.pausedAt !== undefined && { paused: true as const }),
    ...(plan.movedOnAt !== undefined && { movedOn: true as const }),
    ...(plan.safeguards && { safeguards: plan.safeguards.length }),
  };
  const interval = intervalMsOf(plan);
  if (interval === undefined) return summary;
  const isSameStart = before.plan !== undefined && hasSameStart(before.plan, plan);
  const oldInterval = isSameStart && before.plan ? intervalMsOf(before.plan) : undefined;
  const { nextAt, restMs } = before.summary ?? {};
  if (oldInterval === interval) return { ...summary, ...(nextAt ? { nextAt } : { restMs: restMs ?? interval }) };
  const elapsed =
    oldInterval === undefined
      ? Date.parse(at) - Date.parse(active?.startedAt ?? at)
      : oldInterval - restMsOf(before.summary ?? summary, at);
  return { ...summary, restMs: Math.max(0, interval - elapsed) };
}

/** Returns the milliseconds that the active milestone lasts; undefined if a person starts the next one, or if there is none. */
function intervalMsOf(plan: ReleasePlan): number | undefined {
  const { intervalMinutes } = findActiveMilestone(plan)?.transitionCondition ?? {};
  return intervalMinutes === undefined || findNextMilestone(plan) === undefined ? undefined : intervalMinutes * 60_000;
}

function hasSameStart(a: ReleasePlan, b: ReleasePlan): boolean {
  const isSame = a.id === b.id && a.activeMilestoneId === b.activeMilestoneId;
  return isSame && findActiveMilestone(a)?.startedAt === findActiveMilestone(b)?.startedAt;
}

function restMsOf({ nextAt, restMs = 0 }: PlanSummary, at: string): number {
  return nextAt === undefined ? restMs : Math.max(0, Date.parse(nextAt) - Date.parse(at));
}

/**
 * Starts or stops the clock of a plan: it runs while the feature is live and switched on and the plan is not paused. A plan that stood
 * still continues with the rest of its interval, at least a minute.
 * @param isOn true if the feature is live and switched on.
 */
export function moveClock(plan: PlanSummary, isOn: boolean, at: string): PlanSummary {
  const { nextAt, restMs, ...others } = plan;
  if (isOn && !plan.paused) {
    if (restMs === undefined) return plan;
    return { ...others, nextAt: new Date(Date.parse(at) + Math.max(restMs, restMsMin)).toISOString() };
  }
  return nextAt === undefined ? plan : { ...others, restMs: restMsOf(plan, at) };
}

/** Returns the time at which the next milestone of a plan starts by itself after a change, as `summarizePlan` and `moveClock` store it. */
export function findNextAt(plan: ReleasePlan, before: PlanBefore, isOn: boolean, at: string): string | undefined {
  return moveClock(summarizePlan(plan, before, at), isOn, at).nextAt;
}
