import { isDeepStrictEqual } from 'node:util';
import { findActiveMilestone, type ReleasePlan, withoutProgress } from './release-plan.ts';
import type { Safeguard } from './safeguard-schema.ts';

/**
 * Tells whether a change of a plan needs no approval in a protected environment: it pauses the plan, or goes back to a milestone that was
 * live before, or adds or tightens a safeguard that does one of these. A person who sees a fault must not have to wait.
 */
export function isFreeChange(before: ReleasePlan, after: ReleasePlan): boolean {
  if (before.pausedAt !== undefined && before.pausedAt !== after.pausedAt) return false;
  const isSameContent = isDeepStrictEqual(contentOf(before), contentOf(after));
  return isSameContent && isBackOrSame(before, after) && areTightened(before.safeguards, after.safeguards);
}

/**
 * Tells whether each of some safeguards is still there, and triggers at least as early as before, and whether those that are new or
 * trigger earlier switch nothing off: that needs approval, and features that depend on this one being off get more users by it.
 */
function areTightened(before: readonly Safeguard[] = [], after: readonly Safeguard[] = []): boolean {
  const byId = new Map(after.map((safeguard) => [safeguard.id, safeguard]));
  const areKept = before.every((old) => {
    const next = byId.get(old.id);
    return next !== undefined && isTightened(old, next);
  });
  const changed = after.filter((next) => !before.some((old) => isDeepStrictEqual(old, next)));
  return areKept && changed.every(({ action }) => action.type !== 'disableFeatureEnvironment');
}

function isTightened({ triggerCondition: old, ...rest }: Safeguard, next: Safeguard): boolean {
  const { triggerCondition, ...nextRest } = next;
  if (old.operator !== triggerCondition.operator || !isDeepStrictEqual(rest, nextRest)) return false;
  return old.operator === '>'
    ? triggerCondition.threshold <= old.threshold
    : triggerCondition.threshold >= old.threshold;
}

function isBackOrSame(before: ReleasePlan, after: ReleasePlan): boolean {
  if (before.activeMilestoneId === after.activeMilestoneId) return true;
  const wasLive = before.milestones.find(({ id }) => id === after.activeMilestoneId)?.startedAt !== undefined;
  const orderOf = (plan: ReleasePlan) => findActiveMilestone(plan)?.sortOrder ?? Number.NEGATIVE_INFINITY;
  return wasLive && orderOf(after) < orderOf(before);
}

/** Returns a plan without its safeguards and the fields that a start or a pause changes. */
function contentOf(plan: ReleasePlan) {
  const { activeMilestoneId: _active, pausedAt: _pausedAt, movedOnAt: _movedOnAt, ...content } = plan;
  const { safeguards: _safeguards, milestones, ...others } = content;
  return { ...others, milestones: milestones.map(withoutProgress) };
}
