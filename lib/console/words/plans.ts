import type { ReleasePlanView } from '../../features/plans/plan-schema.ts';
import { servesEverybody } from '../../features/strategies/served-users.ts';
import { describeStrategy } from './events.ts';
import { describeAge, describeMinutes, describeTime } from './times.ts';

export type MilestoneView = ReleasePlanView['milestones'][number];

/** The part of a milestone that says whom it reaches; a template has no more. */
export type MilestoneContent = Pick<MilestoneView, 'name' | 'transitionCondition'> & {
  readonly strategies: readonly Pick<
    MilestoneView['strategies'][number],
    'name' | 'parameters' | 'constraints' | 'segments' | 'disabled'
  >[];
};

/** Writes the share of users that strategies reach: "50%". It is undefined if conditions, or several strategies, decide. */
export function describeReach({ strategies }: Pick<MilestoneContent, 'strategies'>): string | undefined {
  if (strategies.some(servesEverybody)) return '100%';
  const [first, ...others] = strategies.filter(({ disabled }) => !disabled);
  if (first === undefined) return '0%';
  if (others.length > 0 || first.constraints.length + first.segments.length > 0) return undefined;
  const { rollout } = first.parameters;
  return rollout === undefined && first.name !== 'default' ? undefined : `${rollout ?? 100}%`;
}

/** Describes whom the strategies of a flag itself let in beside its plan; undefined if none is enabled. */
export function describeOwn(strategies: MilestoneContent['strategies']): string | undefined {
  const own = strategies.filter(({ disabled }) => !disabled);
  if (own.length === 0) return undefined;
  const widest = own.find(servesEverybody);
  return widest === undefined
    ? 'Users of the strategies of the flag itself get it, too.'
    : `Everybody gets it at every milestone: the strategy “${describeStrategy(widest)}” of the flag itself lets them in.`;
}

/** Describes the time for which a milestone lasts. */
export function describeLength({ transitionCondition }: Pick<MilestoneContent, 'transitionCondition'>): string {
  return transitionCondition === undefined
    ? 'Lasts until somebody starts the next one'
    : `Lasts ${describeMinutes(transitionCondition.intervalMinutes)}`;
}

/** The active milestone of a plan, and its neighbours. */
export interface PlanProgress {
  /** The index of the active milestone; -1 before the first one has started. */
  readonly index: number;
  readonly active: MilestoneView | undefined;
  readonly before: MilestoneView | undefined;
  readonly next: MilestoneView | undefined;
  readonly isPaused: boolean;
}

export function progressOf({ milestones, activeMilestoneId }: ReleasePlanView): PlanProgress {
  const index = milestones.findIndex(({ id }) => id === activeMilestoneId);
  const active = milestones[index];
  return {
    ...{ index, active },
    before: milestones[index - 1],
    next: active && milestones[index + 1],
    isPaused: active?.pausedAt !== undefined,
  };
}

/** Describes the next step of a plan. @param isOn true if the flag is on in the environment. @param now milliseconds since 1970. */
export function describeNext(plan: ReleasePlanView, isOn: boolean, now = Date.now()): string {
  const { active, next, isPaused } = progressOf(plan);
  if (active === undefined) return `The plan waits: “${plan.milestones[0]?.name}” starts when the flag is switched on.`;
  if (!isOn) return 'The flag is off: nobody gets it, and the plan stands still.';
  if (next === undefined) return 'It is the last one.';
  if (isPaused && active.transitionCondition !== undefined)
    return `Until it is resumed, “${next.name}” does not start by itself.`;
  if (plan.nextAt === null) return `“${next.name}” waits for somebody to start it.`;
  const isSoon = Date.parse(plan.nextAt) - now < 45_000;
  const age = isSoon ? 'any moment now' : `${describeAge(plan.nextAt, now)}, ${describeTime(plan.nextAt, now)}`;
  return `“${next.name}” starts ${age}.`;
}

/** The state of a milestone in its plan. */
export type MilestoneState = 'done' | 'skipped' | 'active' | 'later';

/** Returns the state of a milestone. One that was active before somebody went back is a later one again. */
export function milestoneStateOf(plan: ReleasePlanView, milestone: MilestoneView): MilestoneState {
  const { index } = progressOf(plan);
  const position = plan.milestones.indexOf(milestone);
  if (position === index) return 'active';
  if (position > index) return 'later';
  return milestone.startedAt === undefined ? 'skipped' : 'done';
}

/** Returns the share of its time that the active milestone has behind it, from 0 to 1; undefined if nothing counts it. */
export function findTimeShare(plan: ReleasePlanView, now = Date.now()): number | undefined {
  const minutes = progressOf(plan).active?.transitionCondition?.intervalMinutes;
  if (plan.nextAt === null || minutes === undefined) return undefined;
  return Math.min(1, Math.max(0, 1 - (Date.parse(plan.nextAt) - now) / (minutes * 60_000)));
}
