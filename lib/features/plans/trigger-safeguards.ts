import { isDeepStrictEqual } from 'node:util';
import type { NewEvent } from '../../events/event.ts';
import type { FeatureEnvironment } from '../environments/feature-environment.ts';
import { decideSwitchOff, type SwitchDecision, switchOffWithoutStrategy } from '../environments/switch-feature.ts';
import type { Feature } from '../feature.ts';
import { milestoneStarted, planPaused } from './plan-events.ts';
import {
  findActiveMilestone,
  type PlanMilestone,
  pausePlan,
  type ReleasePlan,
  standsStill,
  startMilestone,
} from './release-plan.ts';
import { safeguardTriggered, type TriggeringEvidence } from './safeguard-events.ts';
import type { Safeguard } from './safeguard-schema.ts';

/** A safeguard of a plan or of the environment. */
export interface OwnedSafeguard {
  readonly safeguard: Safeguard;
  readonly owner: 'plan' | 'environment';
}

/** Lists the safeguards of a feature in an environment, then those of its plan there. */
export function listSafeguards({ plan, safeguards = [] }: FeatureEnvironment): OwnedSafeguard[] {
  return [
    ...safeguards.map((safeguard) => ({ safeguard, owner: 'environment' as const })),
    ...(plan?.safeguards ?? []).map((safeguard) => ({ safeguard, owner: 'plan' as const })),
  ];
}

/** Lists the safeguards that are watched. Where the feature is off, or its plan stands still or has not begun, there is nothing to stop. */
export function listWatchedSafeguards(state: FeatureEnvironment): OwnedSafeguard[] {
  if (!state.enabled) return [];
  const isPlanWatched = state.plan?.activeMilestoneId !== undefined && !standsStill(state.plan);
  return listSafeguards(state).filter(({ owner }) => owner === 'environment' || isPlanWatched);
}

/** A safeguard whose condition is met. */
export interface Trigger extends OwnedSafeguard {
  readonly evidence: TriggeringEvidence;
}

/**
 * Decides the actions of safeguards that trigger: they pause the plan, go back to the previous milestone, or switch the feature off. Each of
 * these states was live before, or is off. A safeguard that is not watched any more, or was changed, does nothing.
 */
export function decideTriggers(
  feature: Feature,
  environment: string,
  state: FeatureEnvironment,
  triggers: readonly Trigger[],
  at: string,
): SwitchDecision {
  let decided: SwitchDecision = { state, events: [] };
  for (const trigger of triggers) {
    const watched = listWatchedSafeguards(decided.state);
    if (
      !watched.some(
        ({ owner, safeguard }) => owner === trigger.owner && isDeepStrictEqual(safeguard, trigger.safeguard),
      )
    )
      continue;
    const planId = trigger.owner === 'plan' ? state.plan?.id : undefined;
    const triggered = safeguardTriggered(feature, { environment, planId }, trigger.safeguard, trigger.evidence, at);
    const marked = withTriggeredAt(decided.state, trigger, at);
    const next = decideAction(feature, environment, marked, trigger.safeguard, at);
    decided = { state: next.state, events: [...decided.events, triggered, ...next.events] };
  }
  return decided;
}

function withTriggeredAt(state: FeatureEnvironment, { owner, safeguard }: Trigger, at: string): FeatureEnvironment {
  const mark = (all: readonly Safeguard[] = []) =>
    all.map((each) => (each.id === safeguard.id ? { ...each, triggeredAt: at } : each));
  if (owner === 'environment') return { ...state, safeguards: mark(state.safeguards) };
  return state.plan === undefined
    ? state
    : { ...state, plan: { ...state.plan, safeguards: mark(state.plan.safeguards) } };
}

/** Decides the action of a safeguard. A plan that goes back a milestone is paused, too. */
function decideAction(
  feature: Feature,
  environment: string,
  state: FeatureEnvironment,
  { action: { type } }: Safeguard,
  at: string,
): SwitchDecision {
  const { plan } = state;
  if (type === 'disableFeatureEnvironment' || plan === undefined) return decideSwitchOff(feature, environment, state);
  const back = type === 'startPreviousMilestone' ? findPreviousMilestone(plan) : undefined;
  const events: NewEvent[] = [];
  if (back !== undefined) {
    const before = findActiveMilestone(plan);
    events.push(milestoneStarted(feature, environment, plan, { milestone: back, before }));
  }
  const after = pausePlan(back === undefined ? plan : startMilestone(plan, back.id, at), at);
  const switched = switchOffWithoutStrategy(feature, environment, state, { ...state, plan: after });
  return { state: switched.state, events: [...events, planPaused(feature, environment, plan), ...switched.events] };
}

/** Returns the last milestone before the active one that was live; without any, the plan stays where it is. */
function findPreviousMilestone(plan: ReleasePlan): PlanMilestone | undefined {
  const index = plan.milestones.findIndex(({ id }) => id === plan.activeMilestoneId);
  return plan.milestones.slice(0, Math.max(index, 0)).findLast(({ startedAt }) => startedAt !== undefined);
}
