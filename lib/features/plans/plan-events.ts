import type { Feature } from '../feature.ts';
import { buildFeatureEvent } from '../feature-events.ts';
import type { PlanMilestone, ReleasePlan } from './release-plan.ts';
import { viewPlan } from './view-plan.ts';

/* Events of the release plan of a feature in an environment. */

type EventOf = (feature: Feature, environment: string, plan: ReleasePlan) => ReturnType<typeof buildFeatureEvent>;

const view = (feature: Feature, environment: string, plan: ReleasePlan) =>
  viewPlan(plan, { feature: feature.name, environment });

const identityOf = ({ id, name }: ReleasePlan) => ({ id, name });

export const planAdded: EventOf = (feature, environment, plan) =>
  buildFeatureEvent(feature, 'release-plan-added', { environment, data: view(feature, environment, plan) });

export const planRemoved: EventOf = (feature, environment, plan) =>
  buildFeatureEvent(feature, 'release-plan-removed', { environment, preData: view(feature, environment, plan) });

export const planPaused: EventOf = (feature, environment, plan) =>
  buildFeatureEvent(feature, 'release-plan-progressions-paused', { environment, data: identityOf(plan) });

export const planResumed: EventOf = (feature, environment, plan) =>
  buildFeatureEvent(feature, 'release-plan-progressions-resumed', { environment, data: identityOf(plan) });

/**
 * Builds the event of a milestone that becomes the active one.
 * @param before the active milestone before.
 * @param isByTime true if the interval of that milestone has passed.
 */
export function milestoneStarted(
  feature: Feature,
  environment: string,
  plan: ReleasePlan,
  { milestone, before, isByTime = false }: MilestoneStart,
) {
  const dataOf = ({ id, name }: PlanMilestone) => ({ ...identityOf(plan), milestoneId: id, milestoneName: name });
  return buildFeatureEvent(feature, 'release-plan-milestone-started', {
    environment,
    data: { ...dataOf(milestone), ...(isByTime && { isByTime }) },
    ...(before && { preData: dataOf(before) }),
  });
}

interface MilestoneStart {
  readonly milestone: PlanMilestone;
  readonly before: PlanMilestone | undefined;
  readonly isByTime?: boolean;
}

/** Builds the event of a changed or removed interval after which the next milestone starts by itself. */
export function progressionChanged(
  feature: Feature,
  environment: string,
  plan: ReleasePlan,
  { before, after }: { readonly before: PlanMilestone; readonly after: PlanMilestone },
) {
  const dataOf = ({ id, name, transitionCondition }: PlanMilestone) =>
    transitionCondition && { ...identityOf(plan), sourceMilestone: id, milestoneName: name, transitionCondition };
  const [data, preData] = [dataOf(after), dataOf(before)];
  const type = data === undefined ? 'milestone-progression-deleted' : 'milestone-progression-changed';
  return buildFeatureEvent(feature, type, { environment, ...(data && { data }), ...(preData && { preData }) });
}
