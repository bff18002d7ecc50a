import { ApiError } from '../../../lib/errors.ts';
import { systemUser } from '../../../lib/events/actor.ts';
import { stampEvents } from '../../../lib/events/event.ts';
import type { FeatureDecision } from '../../../lib/features/change-feature.ts';
import { decideSwitchOff, planSwitchOff, planSwitchOn } from '../../../lib/features/environments/switch-feature.ts';
import { environmentOfFeature } from '../../../lib/features/feature.ts';
import { featureRevived } from '../../../lib/features/feature-events.ts';
import { applyFeatureUpdate } from '../../../lib/features/items/apply-feature-update.ts';
import type { StoredFeature } from '../../../lib/features/items/feature-items.ts';
import { buildFeatureWrites } from '../../../lib/features/items/feature-writes.ts';
import { planArchive } from '../../../lib/features/lifecycle/archive-feature.ts';
import type { Strategy, StrategyView } from '../../../lib/features/strategies/strategy-schema.ts';
import type { Project } from '../../../lib/projects/projects.ts';
import { planAddPlan } from '../../../lib/release-plans/add-plan.ts';
import * as plans from '../../../lib/release-plans/change-plan.ts';
import { parseDueStep, planDueMilestone } from '../../../lib/release-plans/start-due-milestones.ts';
import type { Referable } from '../../../lib/release-plans/template-references.ts';
import type { ReleaseTemplate } from '../../../lib/release-plans/templates.ts';
import { fullAccess, type Gate, openGate, type Request } from '../../../lib/request.ts';
import { carryOutWrites, readFrom, tableWith } from './memory.ts';
import { Onlooker } from './onlooker.ts';
import { planGuard, planTrip, planUnguard } from './safeguards.ts';
import { type FeaturePlace, lookAtFlag, type PlanTable } from './seen.ts';
import { intervals, isOfService, type PlanCourse, type Step, shares } from './steps.ts';

const place: FeaturePlace = { project: 'shop', feature: 'checkout', environment: 'production' };
const path = { projectId: place.project, featureName: place.feature, environment: place.environment };
const project = {
  ...{ id: place.project, defaultStickiness: 'default', archivedAt: null },
  environments: [{ name: place.environment, type: 'production', sortOrder: 1 }],
} as unknown as Project;
const begin = Date.parse('2026-01-01T00:00:00.000Z');
/** The second clock of the service is this much ahead. */
const skewMs = 20_000;

const closedGate: Gate = {
  ...openGate,
  protected: new Map([[place.project, new Set([place.environment])]]),
  maySkip: () => false,
};

const strategyOf = (share: number): Omit<StrategyView, 'id'> => ({
  ...{
    name: 'flexibleRollout',
    title: null,
    disabled: false,
    sortOrder: 0,
    segments: [],
    constraints: [],
    variants: [],
  },
  parameters: { rollout: String(share), stickiness: 'default', groupId: '{{featureName}}' },
});

const ownStrategy: Strategy = { ...strategyOf(5), id: 'own', featureName: place.feature };

const templates = intervals.map(
  (minutes, index): ReleaseTemplate => ({
    ...{ id: `template-${index}`, name: `Template ${index}`, description: '', project: null },
    ...{ createdByUserId: 1, createdAt: new Date(begin).toISOString(), archivedAt: null },
    milestones: minutes.map((intervalMinutes, sortOrder) => ({
      ...{ id: `milestone-${sortOrder}`, name: `Milestone ${sortOrder}`, sortOrder },
      ...(intervalMinutes !== null && { transitionCondition: { intervalMinutes } }),
      strategies: [{ ...strategyOf(shares[sortOrder] ?? 100), id: `strategy-${sortOrder}` }],
    })),
  }),
);

const references = { typeExists: true, segments: new Map(), legalValues: new Map() };
/** The same for a template. */
const referable: Referable = { types: { has: () => true }, segments: [], legalValues: new Map() };

// biome-ignore lint/suspicious/noExplicitAny: the plans read different facts, and return different values.
type Decide = (facts: any, at: string) => FeatureDecision<any>;

/** A change that is planned, and the facts that it would read beside the feature. */
interface Planned {
  readonly decide: Decide;
  readonly facts?: unknown;
}

// The plans only read with it, and here nothing is read.
const request = { ...fullAccess } as Request;

/** Goes through a course in memory, with the decisions and the writes of the service; returns what is wrong. */
export function flawsOfCourse({ isProtected, hasOwnStrategy, steps }: PlanCourse) {
  const onlooker = new Onlooker(place, isProtected);
  let table: PlanTable = tableWith(place, hasOwnStrategy ? [ownStrategy] : [], new Date(begin).toISOString());
  let now = begin;
  let eventId = 1_000;
  let refused = 0;
  const past: { readonly table: PlanTable; readonly now: number }[] = [];

  /** Tries to store a change that was decided by what a table was. */
  function attempt(step: Step, { decide, facts }: Planned, from: PlanTable, at: number, clockAt?: number): boolean {
    const time = new Date(at).toISOString();
    // Safeguards and clocks need no approval.
    const by = isOfService(step) ? { ...step, who: 'administrator' as const } : step;
    const stored = readFrom(from, place);
    const decision = decide({ project, stored, facts }, time);
    if (decision.events.length === 0) return true;
    const events = stampEvents(decision.events, eventId, systemUser, time);
    eventId += events.length;
    const gate = isProtected && by.who === 'member' ? closedGate : openGate;
    const next = carryOutWrites(table, buildFeatureWrites({ ...fullAccess, gate }, decision, events));
    if (next === undefined) return false;
    const [before, after] = [lookAtFlag(table, place), lookAtFlag(next, place)];
    table = next;
    onlooker.see({ step: by, at, ...(clockAt !== undefined && { clockAt }), before, after, events });
    return true;
  }

  function carryOut(
    step: Step,
    planned: (from: PlanTable) => Planned,
    from: PlanTable,
    at: number,
    clockAt?: number,
  ): void {
    try {
      // The loop of the service decides again after a lost race.
      if (!attempt(step, planned(from), from, at, clockAt)) attempt(step, planned(table), table, at, clockAt);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      refused += 1;
    }
  }

  function tick(step: Step, late: number): void {
    const skew = step.which * skewMs;
    const looked = past.at(-1 - late) ?? { table, now };
    const clockAt = looked.now + skew;
    const end = `${new Date(clockAt).toISOString()}~`;
    const due = [...looked.table.values()].filter(({ pk, sk }) => pk === 'PLAN_STEPS' && sk < end);
    for (const item of due)
      carryOut(step, () => planDueMilestone(request, parseDueStep(item)), looked.table, now + skew, clockAt);
  }

  for (const step of steps) {
    past.push({ table, now });
    if (step.does === 'wait') now += step.minutes * 60_000;
    else if (step.does === 'clock') tick(step, step.late);
    else {
      // The evidence of a safeguard is always older than its action.
      const late = step.late + Number(step.does === 'trip');
      const saw = past.at(-1 - late)?.table ?? table;
      carryOut(step, (from) => planOf(step, from, saw), saw, now);
    }
    now += 1;
  }
  // However late the clock is, it moves one milestone.
  const { nextAt } = lookAtFlag(table, place);
  if (nextAt !== undefined) {
    now = Math.max(now, nextAt);
    past.push({ table, now });
    const starts = onlooker.startsByTime;
    tick({ does: 'clock', who: 'administrator', which: 0, milestone: 0, minutes: 0, late: 0 }, 0);
    if (onlooker.startsByTime !== starts + 1) onlooker.flaws.push(`The clock did not start what was due at ${nextAt}.`);
  }
  const { flaws, startsByTime, tripsInPause } = onlooker;
  return { flaws, startsByTime, tripsInPause, refused };
}

/**
 * Returns the change that a step asks for, by somebody who has seen the feature like this.
 * @param evaluated the table of which the evidence of a safeguard is.
 */
function planOf(step: Step, from: PlanTable, evaluated: PlanTable): Planned {
  const { plan } = lookAtFlag(from, place);
  const { id: planId = 'none', milestones = [] } = plan ?? {};
  const milestoneId = milestones[step.milestone]?.id ?? 'none';
  const target = milestones[step.milestone + 1]?.id ?? 'none';
  switch (step.does) {
    case 'add': {
      const template = templates[step.which] as ReleaseTemplate;
      return { ...planAddPlan(request, { id: 1 }, path, template.id), facts: { template, referable } };
    }
    case 'remove':
      return plans.planRemovePlan(request, { ...path, planId });
    case 'start':
      return plans.planStartMilestone(request, { ...path, planId, milestoneId });
    case 'pause':
      return plans.planPausePlan(request, { ...path, planId });
    case 'resume':
      return plans.planResumePlan(request, { ...path, planId });
    case 'time': {
      const transitionCondition = { intervalMinutes: step.minutes };
      const sourcePath = { ...path, sourceMilestone: milestoneId };
      return plans.planSetProgression(request, sourcePath, { targetMilestone: target, transitionCondition });
    }
    case 'untime':
      return plans.planRemoveProgression(request, { ...path, sourceMilestone: milestoneId });
    case 'edit': {
      const [strategy] = milestones[step.milestone]?.strategies ?? [];
      const rollout = String((shares[step.milestone] ?? 100) - (step.minutes % 2) * 5);
      const strategyPath = { ...path, strategyId: strategy?.id ?? 'none' };
      const parameters = { ...strategy?.parameters, rollout };
      return { ...plans.planUpdateMilestoneStrategy(request, strategyPath, { parameters }), facts: references };
    }
    case 'on':
      return planSwitchOn(request, path, { activateDisabled: false, assertMayAdd: () => {} });
    case 'off':
      return planSwitchOff(request, path);
    case 'archive':
      return planArchive(request, path);
    case 'revive':
      return { decide: decideRevival };
    case 'guard':
      return planGuard(request, { ...path, planId }, step);
    case 'unguard':
      return planUnguard(request, { ...path, planId });
    case 'trip': {
      const { feature } = readFrom(evaluated, place);
      return planTrip(request, { ...path, planId }, environmentOfFeature(feature, place.environment));
    }
    default:
      throw new Error(`Nobody plans to ${step.does}.`);
  }
}

/** Decides as the service does to revive a feature, which is off then. */
function decideRevival({ stored }: { readonly stored: StoredFeature }, at: string) {
  const { feature } = stored;
  if (feature.archivedAt === null) return { stored, after: feature, events: [], value: undefined };
  const after = applyFeatureUpdate(feature, { archived: false }, at);
  const switchOffs = [...after.environments].map(([name, state]) => ({ name, ...decideSwitchOff(after, name, state) }));
  return {
    stored,
    after: { ...after, environments: new Map(switchOffs.map(({ name, state }) => [name, state])) },
    events: [featureRevived(after), ...switchOffs.flatMap(({ events }) => events)],
    value: undefined,
  };
}
