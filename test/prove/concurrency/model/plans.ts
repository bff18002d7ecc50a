import { isDeepStrictEqual } from 'node:util';
import type { ReleasePlanView } from '../../../../lib/features/plans/plan-schema.ts';
import { moveClock, type PlanSummary, summarizePlan } from '../../../../lib/features/plans/plan-summary.ts';
import {
  findActiveMilestone,
  findNextMilestone,
  type PlanMilestone,
  pausePlan,
  type ReleasePlan,
  resumePlan,
  startMilestone,
  withMilestone,
} from '../../../../lib/features/plans/release-plan.ts';
import { viewPlan } from '../../../../lib/features/plans/view-plan.ts';
import type { ClientRequest, Facts, RequestOf } from '../history.ts';
import type { Chosen, Draft } from './draft.ts';
import { environmentOf, type FeatureState } from './feature.ts';

/*
 * Release plans of the model. It takes the steps of a plan and the count of its time from the service: `prove:plans` holds those to the
 * promises. What it tells is whether each step was taken once, on the plan as it was then.
 */

export const planKinds = [
  ...(['add plan', 'start milestone', 'pause plan', 'resume plan', 'remove plan'] as const),
  ...(['time milestone', 'untime milestone'] as const),
] as const;

type PlanRequest = RequestOf<(typeof planKinds)[number]>;

export function isPlanRequest(request: ClientRequest): request is PlanRequest {
  return (planKinds as readonly string[]).includes(request.kind);
}

/** Changes the plan of a feature as a request asks; returns the status of a refusal. */
export function changePlan(
  draft: Draft,
  request: PlanRequest,
  facts: Facts,
  chosen: Chosen,
): 400 | 404 | 409 | undefined {
  const { environment } = request;
  const { enabled, plan } = environmentOf(draft.state, environment);
  if (request.kind === 'add plan') {
    if (plan?.releasePlanTemplateId === request.templateId) return 409;
    const waiting = buildPlan(request.templateId, facts, draft.state.name, chosen);
    const [first] = waiting.milestones;
    const next = enabled && first ? startMilestone(waiting, first.id, chosen.at) : waiting;
    draft.changePlan(environment, next, () => {
      if (plan) draft.tell('release-plan-removed', { environment, preData: shown(plan, draft, environment) });
      draft.tell('release-plan-added', { environment, data: shown(waiting, draft, environment) });
      if (enabled && first) tellStart(draft, environment, waiting, { milestone: first });
    });
    return undefined;
  }
  if (plan === undefined || ('planId' in request && request.planId !== plan.id)) return 404;
  const milestone = (id: string) => plan.milestones.find((each) => each.id === id);
  const identity = { id: plan.id, name: plan.name };
  switch (request.kind) {
    case 'remove plan':
      draft.changePlan(environment, undefined, () =>
        draft.tell('release-plan-removed', { environment, preData: shown(plan, draft, environment) }),
      );
      return undefined;
    case 'pause plan':
    case 'resume plan': {
      const isPause = request.kind === 'pause plan';
      if (isPause === (plan.pausedAt !== undefined)) return undefined;
      const type = isPause ? 'release-plan-progressions-paused' : 'release-plan-progressions-resumed';
      draft.changePlan(environment, (isPause ? pausePlan : resumePlan)(plan, chosen.at), () =>
        draft.tell(type, { environment, data: identity }),
      );
      return undefined;
    }
    case 'start milestone': {
      const to = milestone(request.milestoneId);
      const from = findActiveMilestone(plan);
      if (to === undefined) return 404;
      if (to === from) return undefined;
      draft.changePlan(environment, startMilestone(plan, to.id, chosen.at), () =>
        tellStart(draft, environment, plan, { milestone: to, before: from }),
      );
      return undefined;
    }
    case 'time milestone':
    case 'untime milestone': {
      const before = milestone(request.milestoneId);
      if (before === undefined) return 404;
      const { transitionCondition: old, ...untimed } = before;
      const wanted = request.kind === 'time milestone' ? { intervalMinutes: request.minutes } : undefined;
      if (request.kind === 'untime milestone' && old === undefined) return 404;
      if (request.kind === 'time milestone') {
        if (milestone(request.targetId) === undefined) return 404;
        if (plan.milestones[plan.milestones.indexOf(before) + 1]?.id !== request.targetId) return 400;
        if (isDeepStrictEqual(old, wanted)) return undefined;
        const { startedAt } = before;
        const endsAt = Date.parse(startedAt ?? chosen.at) + request.minutes * 60_000;
        if (plan.activeMilestoneId === before.id && startedAt !== undefined && endsAt <= Date.parse(chosen.at))
          return 400;
      }
      const shownAs = (transitionCondition: typeof old) =>
        transitionCondition
          ? { ...identity, sourceMilestone: before.id, milestoneName: before.name, transitionCondition }
          : null;
      const after = wanted ? { ...untimed, transitionCondition: wanted } : untimed;
      const type = wanted ? 'milestone-progression-changed' : 'milestone-progression-deleted';
      draft.changePlan(environment, withMilestone(plan, after), () =>
        draft.tell(type, { environment, data: shownAs(wanted), preData: shownAs(old) }),
      );
      return undefined;
    }
  }
}

/** Starts the plan that waits for its feature to be switched on. */
export function startWaiting(draft: Draft, environment: string, { at }: Chosen): void {
  const { plan } = environmentOf(draft.state, environment);
  const first = plan?.activeMilestoneId === undefined ? plan?.milestones[0] : undefined;
  if (plan === undefined || first === undefined) return;
  draft.changePlan(environment, startMilestone(plan, first.id, at), () =>
    tellStart(draft, environment, plan, { milestone: first }),
  );
}

/** Starts the milestones that are due by their plans. */
export function startDue(draft: Draft, { now }: RequestOf<'clock'>, { at }: Chosen): void {
  for (const [environment, { plan, nextAt }] of Object.entries(draft.state.environments)) {
    const [before, milestone] = plan ? [findActiveMilestone(plan), findNextMilestone(plan)] : [];
    if (!plan || !before || !milestone || nextAt === undefined || nextAt > now) continue;
    const executed = withMilestone(plan, { ...before, progressionExecutedAt: at });
    draft.changePlan(environment, startMilestone(executed, milestone.id, at), () =>
      tellStart(draft, environment, plan, { milestone, before, isByTime: true }),
    );
  }
}

/** Starts and stops the clocks of the plans of a feature after a change. */
export function settleClocks(before: FeatureState | undefined, after: FeatureState, at: string): FeatureState {
  const environments = Object.entries(after.environments).map(([name, { clock: _clock, nextAt: _at, ...state }]) => {
    if (state.plan === undefined) return [name, state] as const;
    const { plan, clock: summary } = before ? environmentOf(before, name) : {};
    const isOn = after.archivedAt === null && state.enabled;
    const clock: PlanSummary = moveClock(summarizePlan(state.plan, { plan, summary }, at), isOn, at);
    return [name, { ...state, clock, ...(clock.nextAt !== undefined && { nextAt: clock.nextAt }) }] as const;
  });
  return { ...after, environments: Object.fromEntries(environments) };
}

function buildPlan(templateId: string, { templates }: Facts, featureName: string, { at, plan }: Chosen): ReleasePlan {
  const template = templates.find(({ id }) => id === templateId);
  const idOf = (told: { readonly id: string } | undefined) => told?.id ?? 'a new id';
  return {
    id: idOf(plan),
    name: template?.name ?? '',
    description: template?.description ?? '',
    releasePlanTemplateId: templateId,
    createdByUserId: plan?.createdByUserId ?? 0,
    createdAt: at,
    milestones: (template?.milestones ?? []).map((milestone, index) => ({
      ...milestone,
      id: idOf(plan?.milestones[index]),
      strategies: milestone.strategies.map((strategy, place) => ({
        ...strategy,
        id: idOf(plan?.milestones[index]?.strategies[place]),
        featureName,
        parameters: { ...strategy.parameters, groupId: featureName },
      })),
    })),
  };
}

function shown(plan: ReleasePlan, { state }: Draft, environment: string): Record<string, unknown> {
  return { ...(viewPlan(plan, { feature: state.name, environment }) satisfies ReleasePlanView) };
}

interface Start {
  readonly milestone: PlanMilestone;
  readonly before?: PlanMilestone | undefined;
  readonly isByTime?: true;
}

function tellStart(
  draft: Draft,
  environment: string,
  { id, name }: ReleasePlan,
  { milestone, before, isByTime }: Start,
) {
  const shownAs = (each: PlanMilestone) => ({ id, name, milestoneId: each.id, milestoneName: each.name });
  draft.tell('release-plan-milestone-started', {
    environment,
    data: { ...shownAs(milestone), ...(isByTime && { isByTime }) },
    preData: before ? shownAs(before) : null,
  });
}
