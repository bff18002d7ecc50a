import type { FeatureEnvironment } from '../../features/environments/feature-environment.ts';
import {
  findActiveMilestone,
  type PlanMilestone,
  type ReleasePlan,
  withoutProgress,
} from '../../features/plans/release-plan.ts';
import type { Safeguard } from '../../features/plans/safeguard-schema.ts';
import type { ChangeInput } from '../change-input-schema.ts';

/** The actions on the release plan of a feature in an environment, and on the safeguards of both. */
const actions = [
  ...(['addReleasePlan', 'deleteReleasePlan', 'startMilestone', 'updateMilestoneStrategy'] as const),
  ...(['changeMilestoneProgression', 'deleteMilestoneProgression', 'resumeMilestoneProgression'] as const),
  ...(['changeReleasePlanSafeguard', 'deleteReleasePlanSafeguard'] as const),
  ...(['changeFeatureEnvSafeguard', 'deleteFeatureEnvSafeguard'] as const),
] as const;
type PlanAction = (typeof actions)[number];
const actionNames: ReadonlySet<string> = new Set(actions);

/** The input of a change of a plan or of a safeguard. */
type PlanChangeInput = Extract<ChangeInput, { readonly action: PlanAction }>;

/** Tells whether a change is about a release plan or a safeguard. */
export function isPlanChange(input: ChangeInput): input is PlanChangeInput {
  return actionNames.has(input.action);
}

/** Tells whether a change is about a plan that exists already, which views then show. */
export function changesExistingPlan(input: ChangeInput): boolean {
  return isPlanChange(input) && input.action !== 'addReleasePlan' && !input.action.includes('FeatureEnv');
}

type State = Pick<FeatureEnvironment, 'plan' | 'safeguards'>;

/**
 * Returns the part of a plan or of the safeguards that a change replaces or depends on; undefined if it is not there. A milestone that
 * starts by itself changes this part only if that contradicts the change.
 * @param base the part when the change was added.
 */
export function findPlanPart(input: PlanChangeInput, { plan, safeguards }: State, base?: unknown): unknown {
  switch (input.action) {
    case 'addReleasePlan':
      return { releasePlan: plan?.name ?? null, planId: plan?.id ?? null };
    case 'changeFeatureEnvSafeguard':
      return findReplaced(safeguards, input.payload.safeguard.id);
    case 'deleteFeatureEnvSafeguard':
      return safeguards?.find(({ id }) => id === input.payload.safeguardId);
    default:
      return plan && findPart(input, plan, base);
  }
}

type PartInput = Exclude<
  PlanChangeInput,
  { readonly action: 'addReleasePlan' | 'changeFeatureEnvSafeguard' | 'deleteFeatureEnvSafeguard' }
>;

function findPart(input: PartInput, plan: ReleasePlan, base: unknown): unknown {
  const { action, payload } = input;
  if ('planId' in payload && payload.planId !== plan.id) return undefined;
  const milestoneOf = (milestoneId: string) => plan.milestones.find(({ id }) => id === milestoneId);
  switch (action) {
    case 'deleteReleasePlan':
      return { milestones: plan.milestones.map(withoutProgress) };
    case 'startMilestone':
      return findStart(plan, milestoneOf(payload.milestoneId), base);
    case 'updateMilestoneStrategy':
      return plan.milestones.flatMap(({ strategies }) => strategies).find(({ id }) => id === payload.id);
    case 'changeMilestoneProgression':
    case 'deleteMilestoneProgression':
      return findProgression(plan, milestoneOf(payload.sourceMilestone));
    case 'resumeMilestoneProgression':
      return { pausedAt: plan.pausedAt ?? null, activeMilestone: findActiveMilestone(plan)?.name ?? null };
    case 'changeReleasePlanSafeguard':
      return findReplaced(plan.safeguards, payload.safeguard.id);
    case 'deleteReleasePlanSafeguard':
      return plan.safeguards?.find(({ id }) => id === payload.safeguardId);
  }
}

/** The facts on which the start of a milestone is decided. */
interface Start {
  readonly activeMilestone: string | null;
  /** The last start of the milestone. */
  readonly startedAt: string | null;
  readonly pausedAt: string | null;
  readonly transitionCondition: PlanMilestone['transitionCondition'] | null;
  readonly strategies: PlanMilestone['strategies'];
}

/**
 * Returns the facts on which the start of a milestone is decided. Two changes bring the plan nearer to this start, so the facts stay as
 * they were: an earlier milestone has started, and the plan was resumed.
 * @param base the facts when the change was added.
 */
function findStart(plan: ReleasePlan, milestone: PlanMilestone | undefined, base: unknown): Start | undefined {
  if (milestone === undefined) return undefined;
  const { activeMilestone: activeBefore, pausedAt: pausedBefore } = (base ?? {}) as Partial<Start>;
  const active = findActiveMilestone(plan);
  const orderOf = (name: string | null | undefined) => plan.milestones.findIndex((each) => each.name === name);
  const now = orderOf(active?.name);
  const isOnTheWay = orderOf(activeBefore) <= now && now < plan.milestones.indexOf(milestone);
  const isResumed = pausedBefore !== undefined && plan.pausedAt === undefined;
  return {
    activeMilestone: activeBefore !== undefined && isOnTheWay ? activeBefore : (active?.name ?? null),
    startedAt: milestone.startedAt ?? null,
    pausedAt: isResumed ? pausedBefore : (plan.pausedAt ?? null),
    transitionCondition: milestone.transitionCondition ?? null,
    strategies: milestone.strategies,
  };
}

/** Returns the time after which a milestone gives way to the next one, and whether it has: another time would then change nothing. */
function findProgression(plan: ReleasePlan, source: PlanMilestone | undefined) {
  if (source === undefined) return undefined;
  const active = plan.milestones.findIndex(({ id }) => id === plan.activeMilestoneId);
  return {
    transitionCondition: source.transitionCondition ?? null,
    isOver: active > plan.milestones.indexOf(source),
  };
}

/** Returns the safeguard that a new one replaces; null if it is added to the others. */
function findReplaced(safeguards: readonly Safeguard[] = [], id: string | undefined): Safeguard | null {
  return (id === undefined ? safeguards[0] : safeguards.find((safeguard) => safeguard.id === id)) ?? null;
}
