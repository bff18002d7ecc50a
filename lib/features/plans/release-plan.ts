import { notFound } from '../../errors.ts';
import type { Strategy } from '../strategies/strategy-schema.ts';
import type { Safeguard } from './safeguard-schema.ts';

/** A step of a release plan. */
export interface PlanMilestone {
  readonly id: string;
  readonly name: string;
  readonly sortOrder: number;
  /** The time after its start at which the next milestone starts; missing if a person starts that one. */
  readonly transitionCondition?: { readonly intervalMinutes: number };
  /** The strategies that the feature has while the milestone is active. */
  readonly strategies: readonly Strategy[];
  /** The time of its last start. */
  readonly startedAt?: string;
  /** The time at which it gave way to the next one by itself. */
  readonly progressionExecutedAt?: string;
}

/** A release plan of a feature in an environment: a copy of a template. */
export interface ReleasePlan {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Empty for a migrated plan whose template is not here. The template can be gone if the feature was archived or has moved. */
  readonly releasePlanTemplateId: string;
  readonly createdByUserId: number;
  readonly createdAt: string;
  /** The milestones in their order, at least one. */
  readonly milestones: readonly PlanMilestone[];
  /** Missing until the feature is switched on. */
  readonly activeMilestoneId?: string;
  /** The time of the pause. No milestone starts by itself during a pause. */
  readonly pausedAt?: string;
  /** The time at which a person last started a milestone during this pause; missing if nobody did. The safeguards watch since then. */
  readonly movedOnAt?: string;
  /** The time at which the last pause ended. */
  readonly resumedAt?: string;
  /** Missing if there are none. */
  readonly safeguards?: readonly Safeguard[];
}

/** Returns the active milestone of a plan. */
export function findActiveMilestone({ milestones, activeMilestoneId }: ReleasePlan): PlanMilestone | undefined {
  return milestones.find(({ id }) => id === activeMilestoneId);
}

/** Returns the milestone after the active one. */
export function findNextMilestone({ milestones, activeMilestoneId }: ReleasePlan): PlanMilestone | undefined {
  const index = milestones.findIndex(({ id }) => id === activeMilestoneId);
  return index === -1 ? undefined : milestones[index + 1];
}

/** Returns the milestone that starts by itself after the active one, once the clock of the plan has run long enough. */
export function findTimedMilestone(plan: ReleasePlan): PlanMilestone | undefined {
  const isTimed = findActiveMilestone(plan)?.transitionCondition !== undefined;
  return isTimed ? findNextMilestone(plan) : undefined;
}

/** @throws ApiError 404 if no milestone of the plan has the id. */
export function requireMilestone({ milestones }: ReleasePlan, id: string): PlanMilestone {
  const milestone = milestones.find((candidate) => candidate.id === id);
  if (milestone === undefined) throw notFound('milestone', id);
  return milestone;
}

/** Makes a milestone the active one. The plan stays paused if it is, but is watched again. */
export function startMilestone(plan: ReleasePlan, id: string, at: string): ReleasePlan {
  const milestones = plan.milestones.map(({ progressionExecutedAt, ...milestone }) =>
    milestone.id === id
      ? { ...milestone, startedAt: at }
      : { ...milestone, ...(progressionExecutedAt !== undefined && { progressionExecutedAt }) },
  );
  return { ...plan, milestones, activeMilestoneId: id, ...(plan.pausedAt !== undefined && { movedOnAt: at }) };
}

/** Returns a milestone without the fields that a start changes. */
export function withoutProgress({
  startedAt: _started,
  progressionExecutedAt: _executed,
  ...milestone
}: PlanMilestone) {
  return milestone;
}

/** Replaces a milestone by one with the same id. */
export function withMilestone(plan: ReleasePlan, milestone: PlanMilestone): ReleasePlan {
  return { ...plan, milestones: plan.milestones.map((each) => (each.id === milestone.id ? milestone : each)) };
}

/**
 * Tells whether a plan is paused, and no milestone was started since. Its safeguards then watch nothing: what they saw has been answered,
 * and nothing new reaches users.
 */
export function standsStill({ pausedAt, movedOnAt }: Pick<ReleasePlan, 'pausedAt' | 'movedOnAt'>): boolean {
  return pausedAt !== undefined && movedOnAt === undefined;
}

/** Pauses a plan, also one that a person moved on during a pause. One that stands still stays as it is. */
export function pausePlan(plan: ReleasePlan, at: string): ReleasePlan {
  if (standsStill(plan)) return plan;
  const { movedOnAt: _movedOnAt, ...others } = plan;
  return { ...others, pausedAt: at };
}

export function resumePlan(
  { pausedAt: _pausedAt, movedOnAt: _movedOnAt, ...plan }: ReleasePlan,
  at: string,
): ReleasePlan {
  return { ...plan, resumedAt: at };
}
