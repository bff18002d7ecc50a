import { isDeepStrictEqual } from 'node:util';
import { ApiError, invalid, invalidRequest, notFound } from '../errors.ts';
import type { NewEvent } from '../events/event.ts';
import {
  type EnvironmentPath,
  type EnvironmentState,
  planEnvironmentChange,
} from '../features/environments/change-environment.ts';
import type { FeatureEnvironment } from '../features/environments/feature-environment.ts';
import { switchOffWithoutStrategy } from '../features/environments/switch-feature.ts';
import { featureStrategyUpdated } from '../features/feature-events.ts';
import {
  milestoneStarted,
  planPaused,
  planRemoved,
  planResumed,
  progressionChanged,
} from '../features/plans/plan-events.ts';
import type { ProgressionInput, ReleasePlanView } from '../features/plans/plan-schema.ts';
import { findNextAt } from '../features/plans/plan-summary.ts';
import {
  findActiveMilestone,
  type PlanMilestone,
  pausePlan,
  type ReleasePlan,
  requireMilestone,
  resumePlan,
  startMilestone,
  withMilestone,
} from '../features/plans/release-plan.ts';
import { viewPlan } from '../features/plans/view-plan.ts';
import { mergeStrategy, reviseStrategy, type StrategyPath } from '../features/strategies/change-strategies.ts';
import { requireStrategy } from '../features/strategies/strategy.ts';
import type { StrategyUpdate } from '../features/strategies/strategy-input-schema.ts';
import { loadStrategyReferences } from '../features/strategies/strategy-references.ts';
import type { Request } from '../request.ts';
import { findReferenceLimitProblems } from './add-plan.ts';

/** The path of a release plan. */
export interface PlanPath extends EnvironmentPath {
  readonly planId: string;
}

interface PlanDecision {
  readonly plan: ReleasePlan;
  /** The events of the change; none if nothing changes. */
  readonly events: readonly NewEvent[];
}

interface PlanFacts<Facts> extends Pick<EnvironmentState<Facts>, 'project' | 'feature' | 'facts'> {
  /** The time of the change. */
  readonly at: string;
}

/** Decides about a plan, without side effects. */
type DecideOnPlan<Facts> = (plan: ReleasePlan, facts: PlanFacts<Facts>) => PlanDecision;

/**
 * Plans a change of the release plan of a feature in an environment. The result is the plan. If it leaves the feature without an enabled
 * strategy, the feature is switched off.
 * @throws ApiError 404 for an unknown project, environment, feature or plan; what `decide` throws.
 */
function prepareChange<Facts = undefined>(
  request: Request,
  path: EnvironmentPath & Partial<Pick<PlanPath, 'planId'>>,
  decide: DecideOnPlan<Facts>,
  read?: () => Promise<Facts>,
) {
  const { environment } = path;
  return planEnvironmentChange<Facts, ReleasePlanView>(request, path, {
    likelyEvents: 2,
    ...(read && { read }),
    decide: ({ project, feature, state, summary, facts }, at) => {
      const before = requirePlan(state, path);
      const { plan, events } = decide(before, { project, feature, at, facts });
      const switched = switchOffWithoutStrategy(feature, environment, state, { ...state, plan });
      const nextAt = findNextAt(plan, { plan: before, summary: summary?.plan }, switched.state.enabled, at);
      return {
        state: switched.state,
        events: events.length === 0 ? [] : [...events, ...switched.events],
        value: viewPlan(plan, { feature: feature.name, environment }, nextAt),
      };
    },
  });
}

/** Returns the plan of a feature. @throws ApiError 404 if it has none, or one with another id. */
export function requirePlan(
  { plan }: Pick<FeatureEnvironment, 'plan'>,
  { featureName, environment, planId }: EnvironmentPath & Partial<Pick<PlanPath, 'planId'>>,
): ReleasePlan {
  if (plan !== undefined && (planId ?? plan.id) === plan.id) return plan;
  if (planId !== undefined) throw notFound('release plan', planId);
  throw new ApiError('NotFoundError', `The feature "${featureName}" has no release plan in "${environment}".`);
}

/**
 * Plans to make a milestone of a plan the active one: a later one, or an earlier one to go back. The active milestone does not start
 * again. A paused plan stays paused. While the feature is off, SDKs get nothing of it, and its time does not run.
 * @throws ApiError 404 for an unknown project, environment, feature, plan or milestone.
 */
export function planStartMilestone(request: Request, path: PlanPath & { readonly milestoneId: string }) {
  return prepareChange(request, path, (plan, { feature, at }) => {
    const milestone = requireMilestone(plan, path.milestoneId);
    const before = findActiveMilestone(plan);
    if (before === milestone) return { plan, events: [] };
    const events = [milestoneStarted(feature, path.environment, plan, { milestone, before })];
    return { plan: startMilestone(plan, milestone.id, at), events };
  });
}

/**
 * Plans to remove the plan of a feature in an environment, with the strategies of its milestones.
 * @throws ApiError 404 for an unknown project, environment, feature or plan.
 */
export function planRemovePlan(request: Request, path: PlanPath) {
  const { environment } = path;
  return planEnvironmentChange(request, path, {
    likelyEvents: 2,
    decide: ({ feature, state }) => {
      const plan = requirePlan(state, path);
      const { plan: _plan, ...rest } = state;
      const switched = switchOffWithoutStrategy(feature, environment, state, rest);
      return {
        state: switched.state,
        events: [planRemoved(feature, environment, plan), ...switched.events],
        value: undefined,
      };
    },
  });
}

/**
 * Plans to pause a plan: no milestone starts by itself until it is resumed. A paused plan stays as it is.
 * @throws ApiError 404 for an unknown project, environment, feature or plan.
 */
export function planPausePlan(request: Request, path: PlanPath) {
  return prepareChange(request, path, (plan, { feature, at }) => {
    if (plan.pausedAt !== undefined) return { plan, events: [] };
    return { plan: pausePlan(plan, at), events: [planPaused(feature, path.environment, plan)] };
  });
}

/**
 * Plans to resume a plan. The active milestone keeps the rest of its time, at least a minute. A plan that is not paused stays as it is.
 * @throws ApiError 404 for an unknown project, environment, feature or plan.
 */
export function planResumePlan(request: Request, path: PlanPath) {
  return prepareChange(request, path, (plan, { feature, at }) => {
    if (plan.pausedAt === undefined) return { plan, events: [] };
    return { plan: resumePlan(plan, at), events: [planResumed(feature, path.environment, plan)] };
  });
}

/** The path of the time of a milestone. */
interface ProgressionPath extends EnvironmentPath {
  readonly sourceMilestone: string;
}

/**
 * Plans to set the time of a milestone, after which the next milestone starts by itself.
 * @throws ApiError 404 for an unknown project, environment, feature, plan or milestone; 400 if the target is not the next milestone, or
 * if the active milestone has lasted that long already.
 */
export function planSetProgression(
  request: Request,
  path: ProgressionPath,
  { targetMilestone, transitionCondition }: ProgressionInput,
) {
  return prepareChange(request, path, (plan, { feature, at }) => {
    const before = requireMilestone(plan, path.sourceMilestone);
    const target = requireMilestone(plan, targetMilestone);
    const next = plan.milestones[plan.milestones.indexOf(before) + 1];
    if (target !== next) {
      throw invalid(`The milestone after "${before.name}" is ${next ? `"${next.name}"` : 'none'}.`, 'targetMilestone');
    }
    if (isDeepStrictEqual(before.transitionCondition, transitionCondition)) return { plan, events: [] };
    assertNotPast(plan, before, transitionCondition, at);
    const after = { ...before, transitionCondition };
    return {
      plan: withMilestone(plan, after),
      events: [progressionChanged(feature, path.environment, plan, { before, after })],
    };
  });
}

/** A milestone that has been active for longer than its new time would give way at once, which nobody expects. */
function assertNotPast(
  plan: ReleasePlan,
  { id, startedAt }: PlanMilestone,
  { intervalMinutes }: ProgressionInput['transitionCondition'],
  at: string,
): void {
  if (plan.activeMilestoneId !== id || startedAt === undefined) return;
  const next = Date.parse(startedAt) + intervalMinutes * 60_000;
  if (next > Date.parse(at)) return;
  throw invalid(
    `The milestone started at ${startedAt}, so the next one would have started at ${new Date(next).toISOString()}.`,
    'transitionCondition.intervalMinutes',
  );
}

/**
 * Plans to remove the time of a milestone: it then lasts until a person starts the next one.
 * @throws ApiError 404 for an unknown project, environment, feature, plan or milestone, and for a milestone without a time.
 */
export function planRemoveProgression(request: Request, path: ProgressionPath) {
  return prepareChange(request, path, (plan, { feature }) => {
    const before = requireMilestone(plan, path.sourceMilestone);
    const { transitionCondition, ...after } = before;
    if (transitionCondition === undefined) throw notFound('progression', path.sourceMilestone);
    return {
      plan: withMilestone(plan, after),
      events: [progressionChanged(feature, path.environment, plan, { before, after })],
    };
  });
}

/**
 * Plans to change the given properties of a strategy of a milestone. For the active milestone, SDKs get the change at once. The result is
 * the plan.
 * @throws ApiError 404 for an unknown project, environment, feature, plan, strategy or segment; 400 for an invalid strategy.
 */
export function planUpdateMilestoneStrategy(request: Request, path: StrategyPath, update: StrategyUpdate) {
  return prepareChange(
    request,
    path,
    (plan, { project, feature, facts: references }) => {
      const milestone = plan.milestones.find(({ strategies }) => strategies.some(({ id }) => id === path.strategyId));
      if (milestone === undefined) throw notFound('strategy', path.strategyId);
      const before = requireStrategy(milestone.strategies, path.strategyId);
      const after = reviseStrategy(project, before, mergeStrategy(before, update), references);
      if (isDeepStrictEqual(before, after)) return { plan, events: [] };
      const strategies = milestone.strategies.map((strategy) => (strategy === before ? after : strategy));
      const revised = withMilestone(plan, { ...milestone, strategies });
      const problems = findReferenceLimitProblems(revised.milestones);
      if (problems.length > 0) throw invalidRequest(problems);
      return {
        plan: revised,
        events: [featureStrategyUpdated(feature, path.environment, before, after, milestone.strategies)],
      };
    },
    () => loadStrategyReferences(request, update),
  );
}
