import type { FeatureEnvironmentView } from '../../features/feature-schema.ts';
import type { ReleasePlanView } from '../../features/plans/plan-schema.ts';
import type { ReleaseTemplateView } from '../../release-plans/template-schema.ts';
import type { ConsoleFlag } from '../../screens/flag-schema.ts';
import {
  addReleasePlan,
  pauseReleasePlan,
  removeMilestoneProgression,
  removeReleasePlan,
  resumeMilestoneProgressions,
  setMilestoneProgression,
  startReleasePlanMilestone,
} from '../calls/release-plans.ts';
import type { FlagChange } from '../change/change-way.ts';
import { placeOf } from '../change/place-of.ts';
import { type MilestoneView, progressOf } from '../words/plans.ts';
import { describeMinutes } from '../words/times.ts';

/** A flag in an environment whose plan is about to be changed. */
export interface EnvironmentOfFlag {
  readonly flag: ConsoleFlag;
  readonly environment: FeatureEnvironmentView;
}

/** A plan of a flag in an environment, where a change is about to be made. */
export interface PlanPlace extends EnvironmentOfFlag {
  readonly plan: ReleasePlanView;
}

/** Returns the common parts of all changes of the plan of a flag in an environment. */
function describeBase({ flag, environment: { name: environment, type } }: EnvironmentOfFlag) {
  const { project, name: feature } = flag.feature;
  return {
    feature,
    inPlace: `${feature} in ${environment}`,
    isProduction: type === 'production',
    values: { projectId: project, featureName: feature, environment },
    base: {
      place: placeOf(flag, environment),
      part: ({ feature: { environments } }: ConsoleFlag) =>
        environments
          .filter(({ name }) => name === environment)
          .map(({ releasePlans, enabled }) => [releasePlans, enabled]),
    },
  };
}

/** Returns the title and the verb of a dialog that gives a flag a plan, in place of the one that it has. */
export function nameAddition({ flag, environment }: EnvironmentOfFlag) {
  const inPlace = `${flag.feature.name} in ${environment.name}`;
  return environment.releasePlans.length === 0
    ? { title: `Use a release plan for ${inPlace}`, verb: 'Use this plan' }
    : { title: `Replace the release plan of ${inPlace}`, verb: 'Replace the plan' };
}

/** Gives a flag a plan made of a template, in place of the one that it has. */
export function buildPlanAddition(where: EnvironmentOfFlag, template: ReleaseTemplateView): FlagChange {
  const { environment } = where;
  const { feature, values, base } = describeBase(where);
  const [first] = template.milestones;
  const copied = (first?.strategies ?? []).map((strategy) => ({
    ...strategy,
    parameters: { ...strategy.parameters, ...groupFor(feature, strategy.parameters.groupId) },
  }));
  const hasOwn = environment.strategies.some(({ disabled }) => !disabled);
  return {
    ...base,
    ...nameAddition(where),
    isDanger: environment.releasePlans.length > 0,
    isAsked: true,
    reach: { environment, after: [...copied, ...environment.strategies] },
    effect: [
      ...(environment.enabled ? [`“${first?.name}” starts at once.`] : []),
      ...(hasOwn ? ['The strategies of the flag itself stay: users whom they match get it at every milestone.'] : []),
    ].join(' '),
    request: { feature, action: 'addReleasePlan', payload: { templateId: template.id } },
    send: (ifMatch) => addReleasePlan(values, { body: { templateId: template.id }, ifMatch }),
    done: `${feature} has the release plan “${template.name}” in ${environment.name}`,
  };
}

/** Returns the group of a strategy that is copied from a template, as the service does. */
const groupFor = (feature: string, groupId?: string) =>
  groupId === undefined ? {} : { groupId: groupId.replaceAll('{{featureName}}', feature) };

/** Removes a plan with the strategies of its milestones. */
export function buildPlanRemoval(where: PlanPlace): FlagChange {
  const { environment, plan } = where;
  const { feature, inPlace, values, base } = describeBase(where);
  const own = environment.strategies.filter(({ disabled }) => !disabled);
  return {
    ...base,
    title: `Remove the release plan of ${inPlace}?`,
    verb: 'Remove',
    isDanger: true,
    isAsked: true,
    ...(own.length > 0 && { reach: { environment, after: environment.strategies } }),
    effect: describeRemains(own.length, environment),
    request: { feature, action: 'deleteReleasePlan', payload: { planId: plan.id } },
    send: (ifMatch) => removeReleasePlan({ ...values, planId: plan.id }, { ifMatch }),
    done: `Removed the release plan “${plan.name}” in ${environment.name}`,
  };
}

function describeRemains(strategies: number, { enabled, name }: FeatureEnvironmentView): string {
  if (strategies === 0)
    return `No strategy remains${enabled ? `, so the flag goes off in ${name} within seconds` : ''}.`;
  return strategies === 1
    ? 'The strategy of the flag itself remains.'
    : `The ${strategies} strategies of the flag itself remain.`;
}

/** Makes a milestone the active one: a later one, or an earlier one to go back. */
export function buildStart(where: PlanPlace, milestone: MilestoneView): FlagChange {
  const { environment, plan } = where;
  const { feature, inPlace, values, base } = describeBase(where);
  const { active, index, isPaused } = progressOf(plan);
  const position = plan.milestones.indexOf(milestone);
  const isBack = position < index;
  const next = plan.milestones[position + 1];
  const start = (id: string, ifMatch?: string) =>
    startReleasePlanMilestone({ ...values, planId: plan.id, milestoneId: id }, { ifMatch });
  const isFree = isBack && milestone.startedAt !== undefined;
  return {
    ...base,
    title: isBack ? `Go back to “${milestone.name}” of ${inPlace}?` : `Start “${milestone.name}” of ${inPlace}?`,
    verb: isBack ? 'Go back now' : 'Start now',
    isAsked: true,
    reach: { environment, after: [...milestone.strategies, ...environment.strategies] },
    effect: [
      ...(environment.enabled ? ['SDKs get it within seconds.'] : []),
      ...(isPaused ? [describePause(where)] : describeNextStart(milestone, next)),
      ...(isFree && base.place.approvals !== undefined ? ['Going back needs no approval.'] : []),
    ].join(' '),
    ...(!isFree && {
      request: { feature, action: 'startMilestone', payload: { planId: plan.id, milestoneId: milestone.id } },
    }),
    send: (ifMatch) => start(milestone.id, ifMatch),
    done: `${isBack ? 'Went back to' : 'Started'} “${milestone.name}” in ${environment.name}`,
    // Going forward again can need approval.
    ...(active && !isBack && { undo: () => start(active.id) }),
  };
}

const describePause = ({ environment, plan }: PlanPlace) =>
  environment.enabled && plan.safeguards.length > 0
    ? 'The plan stays paused, and its safeguards watch again.'
    : 'The plan stays paused.';

function describeNextStart(milestone: MilestoneView, next: MilestoneView | undefined): string[] {
  const minutes = milestone.transitionCondition?.intervalMinutes;
  if (next === undefined || minutes === undefined) return [];
  return [`“${next.name}” follows by itself after ${describeMinutes(minutes)}.`];
}

/** Pauses a plan: no milestone starts by itself. */
export function buildPause(where: PlanPlace): FlagChange {
  const { environment, plan } = where;
  const { inPlace, values, base } = describeBase(where);
  const path = { ...values, progressionId: plan.id };
  return {
    ...base,
    title: `Pause the release plan of ${inPlace}?`,
    verb: 'Pause',
    isAsked: false,
    effect: 'The active milestone stays active. No milestone starts by itself until the plan is resumed.',
    // A stop must not fail because somebody has changed something else.
    send: () => pauseReleasePlan(path),
    done: `Paused the release plan in ${environment.name}`,
    ...(base.place.approvals === undefined && { undo: () => resumeMilestoneProgressions(path) }),
  };
}

/** Resumes a paused plan. */
export function buildResume(where: PlanPlace): FlagChange {
  const { environment, plan } = where;
  const { inPlace, feature, isProduction, values, base } = describeBase(where);
  const { active, next } = progressOf(plan);
  const path = { ...values, progressionId: plan.id };
  const isTimed = active?.transitionCondition !== undefined && next !== undefined;
  return {
    ...base,
    title: `Resume the release plan of ${inPlace}?`,
    verb: 'Resume',
    isAsked: isProduction,
    effect: isTimed
      ? `“${active.name}” keeps the rest of its time, at least a minute. Then “${next.name}” starts by itself.`
      : 'Nothing starts at once: somebody starts the next milestone.',
    request: { feature, action: 'resumeMilestoneProgression', payload: { planId: plan.id } },
    send: (ifMatch) => resumeMilestoneProgressions(path, { ifMatch }),
    done: `Resumed the release plan in ${environment.name}`,
    undo: () => pauseReleasePlan(path),
  };
}

/** Sets the time after which a milestone gives way to the next one. */
export function buildLengthChange(
  where: PlanPlace,
  milestone: MilestoneView,
  next: MilestoneView,
  intervalMinutes: number,
): FlagChange {
  const { feature, values, base } = describeBase(where);
  const body = { targetMilestone: next.id, transitionCondition: { intervalMinutes } };
  const length = describeMinutes(intervalMinutes);
  return {
    ...base,
    title: `How long does “${milestone.name}” last?`,
    verb: 'Save',
    isAsked: true,
    effect: `“${next.name}” starts by itself ${length} after “${milestone.name}” has started. The clock stops while the flag is off or the plan is paused.`,
    request: { feature, action: 'changeMilestoneProgression', payload: { sourceMilestone: milestone.id, ...body } },
    send: (ifMatch) => setMilestoneProgression({ ...values, progressionId: milestone.id }, { body, ifMatch }),
    done: `“${milestone.name}” lasts ${length}`,
  };
}

/** Removes the time of a milestone: it then lasts until somebody starts the next one. */
export function buildLengthRemoval(where: PlanPlace, milestone: MilestoneView, next: MilestoneView): FlagChange {
  const { feature, isProduction, values, base } = describeBase(where);
  return {
    ...base,
    title: `Remove the time of “${milestone.name}”?`,
    verb: 'Remove',
    isAsked: isProduction,
    effect: `“${milestone.name}” then lasts until somebody starts “${next.name}”.`,
    request: { feature, action: 'deleteMilestoneProgression', payload: { sourceMilestone: milestone.id } },
    send: (ifMatch) => removeMilestoneProgression({ ...values, progressionId: milestone.id }, { ifMatch }),
    done: `“${milestone.name}” lasts until somebody starts “${next.name}”`,
  };
}
