import type { Strategy } from '../features/strategies/strategy-schema.ts';
import {
  deliverEarlier,
  type EarlierEnvironment,
  type EarlierFlag,
  environmentOfEarlier,
  listStrategiesOf,
} from './earlier-flag.ts';

/** A state that changes can lead to. It may differ from the wanted one only in what SDKs do not get; the notes say how. */
export interface ReachableFlag {
  readonly flag: EarlierFlag;
  readonly notes: readonly string[];
}

/**
 * Returns the state nearest to an earlier one that changes of the present one can lead to, and in which SDKs get the same. A plan that was
 * removed does not come back: its live strategies become those of the feature. A plan that has begun cannot wait again, so it is removed.
 */
export function toReachable(then: EarlierFlag, now: EarlierFlag, environmentsNow: readonly string[]): ReachableFlag {
  const notes: string[] = [];
  const environments = environmentsNow.map((name) => {
    const wanted = environmentOfEarlier(then, name);
    const present = environmentOfEarlier(now, name);
    const enabled = deliverEarlier({ ...then, archived: false }, name)?.enabled ?? false;
    const { plan, ...own } = wanted;
    const keepsPlan = plan !== undefined && plan.id === present.plan?.id && isStillPossible(wanted, present);
    if (!keepsPlan) notes.push(...explainPlan(name, wanted, present));
    const strategies = keepsPlan ? own.strategies : withPositions(wanted, plan !== undefined);
    const state = { ...own, enabled, strategies: withDistinctPositions(strategies) };
    return [name, keepsPlan ? { ...state, plan } : state] as const;
  });
  return { flag: { ...then, project: now.project, environments: new Map(environments) }, notes };
}

/** Tells whether changes can lead to an earlier state of the plan. One that has begun cannot wait again, nor get strategies back. */
function isStillPossible({ plan: then }: EarlierEnvironment, { plan: now }: EarlierEnvironment): boolean {
  const hasBegun = now?.activeMilestoneId !== undefined && then?.activeMilestoneId === undefined;
  const idsOf = (plan: typeof then) => plan?.milestones.map(({ strategies }) => strategies.map(({ id }) => id));
  return !hasBegun && JSON.stringify(idsOf(then)) === JSON.stringify(idsOf(now));
}

/** Lists notes about a plan that does not come back, or that is removed. */
function explainPlan(
  environment: string,
  { plan: then }: EarlierEnvironment,
  { plan: now }: EarlierEnvironment,
): string[] {
  if (then === undefined || then.activeMilestoneId === undefined)
    return now === undefined
      ? []
      : [`The release plan "${now.name}" in "${environment}" is removed: it had not begun then.`];
  return [
    `The release plan "${then.name}" in "${environment}" does not come back. The strategies of the milestone that was active then become strategies of the feature.`,
  ];
}

/** Returns the live strategies of a state as those of the feature, with new positions if a plan had some of them. */
function withPositions(state: EarlierEnvironment, hadPlan: boolean) {
  if (!hadPlan) return state.strategies;
  return listStrategiesOf(state).map((strategy, sortOrder) => ({ ...strategy, sortOrder }));
}

/** Gives all strategies new positions if two have the same one: changes could not restore the order of these two. */
function withDistinctPositions(strategies: readonly Strategy[]) {
  const isTied = new Set(strategies.map(({ sortOrder }) => sortOrder)).size < strategies.length;
  return isTied ? strategies.map((strategy, sortOrder) => ({ ...strategy, sortOrder })) : strategies;
}
