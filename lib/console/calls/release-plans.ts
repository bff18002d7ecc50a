import type { ReleasePlanView } from '../../features/plans/plan-schema.ts';
import { change } from '../data/declare-call.ts';
import type { StrategyBody } from './strategies.ts';

const environment = '/api/admin/projects/{projectId}/features/{featureName}/environments/{environment}';
const plans = `${environment}/release-plans` as const;
const progressions = `${environment}/progressions` as const;

/** The milestone that starts by itself after another one, and the time after the start of that one. */
export interface ProgressionBody {
  readonly targetMilestone: string;
  readonly transitionCondition: { readonly intervalMinutes: number };
}
export const addReleasePlan = change<ReleasePlanView, { readonly templateId: string }>()(
  'addReleasePlan',
  'POST',
  plans,
);
export const removeReleasePlan = change()('removeReleasePlan', 'DELETE', `${plans}/{planId}`);
export const startReleasePlanMilestone = change<ReleasePlanView>()(
  'startReleasePlanMilestone',
  'POST',
  `${plans}/{planId}/milestones/{milestoneId}/start`,
);
export const pauseReleasePlan = change<ReleasePlanView>()(
  'pauseReleasePlan',
  'POST',
  `${progressions}/{progressionId}/pause`,
);
export const resumeMilestoneProgressions = change<ReleasePlanView>()(
  'resumeMilestoneProgressions',
  'POST',
  `${progressions}/{progressionId}/resume`,
);
export const setMilestoneProgression = change<ReleasePlanView, ProgressionBody>()(
  'setMilestoneProgression',
  'PUT',
  `${progressions}/{progressionId}`,
);
export const removeMilestoneProgression = change<ReleasePlanView>()(
  'removeMilestoneProgression',
  'DELETE',
  `${progressions}/{progressionId}`,
);
export const updateReleasePlanStrategy = change<unknown, StrategyBody>()(
  'updateReleasePlanStrategy',
  'PUT',
  `${environment}/milestone-strategies/{strategyId}`,
);
