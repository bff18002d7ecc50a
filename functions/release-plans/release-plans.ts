import * as v from 'valibot';
import { suspendSchedules } from '../../lib/change-requests/schedules/suspension.ts';
import { changeFeature } from '../../lib/features/change-feature.ts';
import {
  planInput,
  planPreview,
  planPreviewQuery,
  progressionInput,
  releasePlan,
} from '../../lib/features/plans/plan-schema.ts';
import { requireStrategy } from '../../lib/features/strategies/strategy.ts';
import { strategyUpdate } from '../../lib/features/strategies/strategy-input-schema.ts';
import { endpointsOf } from '../../lib/http/endpoint.ts';
import { planAddPlan } from '../../lib/release-plans/add-plan.ts';
import * as lib from '../../lib/release-plans/change-plan.ts';
import { listPlans, loadPlanPreview } from '../../lib/release-plans/list-plans.ts';
import { milestoneStrategy } from '../../lib/release-plans/template-schema.ts';

const endpoint = endpointsOf('Release plans');
const flagChange = endpointsOf('Release plans', { effectsOf: suspendSchedules });

export const addReleasePlan = flagChange({
  route: 'POST /api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/release-plans',
  summary: 'Gives a feature a release plan in an environment: a copy of a template.',
  description:
    'SDKs get the strategies of the active milestone before those of the feature. Where the feature is on, the first milestone starts at once, otherwise when it is enabled. The plan replaces one from another template. The reply is 409 for a plan from the same template, and 400 for an archived or incomplete template.',
  permission: 'CREATE_FEATURE_STRATEGY',
  body: planInput,
  responses: { 200: releasePlan },
  etag: true,
  errors: [404, 409],
}).handle(({ request, caller, params, body }) =>
  changeFeature(request, caller, planAddPlan(request, caller, params, body.templateId)),
);

export const getReleasePlanPreview = endpoint({
  route:
    'GET /api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/release-plans/{planId}/preview',
  summary: 'Previews a release plan: what SDKs get at each milestone, and when each starts if nobody intervenes.',
  description:
    '`at` asks which milestone is active at a time; one in the past counts as now. A pause, a person or a safeguard can change the times.',
  query: planPreviewQuery,
  responses: { 200: planPreview },
}).handle(({ request, params, query }) => loadPlanPreview(request, params, query.at ?? new Date().toISOString()));

export const getReleasePlans = endpoint({
  route: 'GET /api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/release-plans',
  summary: 'Lists the release plans of a feature in an environment: one or none.',
  description:
    '`activeMilestoneId` names the milestone whose strategies SDKs get. `nextAt` is the time at which the next one starts by itself.',
  responses: { 200: v.array(releasePlan) },
  etag: true,
}).handle(({ request, params }) => listPlans(request, params));

export const pauseReleasePlan = flagChange({
  route:
    'POST /api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/progressions/{progressionId}/pause',
  summary: 'Pauses a release plan: no milestone starts by itself until it is resumed.',
  description:
    '`progressionId` is the id of the plan. The active milestone stays active. In a protected environment, this needs no approval.',
  permission: 'UPDATE_FEATURE_STRATEGY',
  responses: { 200: releasePlan },
  etag: true,
}).handle(({ request, caller, params }) =>
  changeFeature(request, caller, lib.planPausePlan(request, { ...params, planId: params.progressionId })),
);

export const removeMilestoneProgression = flagChange({
  route:
    'DELETE /api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/progressions/{progressionId}',
  summary: 'Removes the time of a milestone of a release plan, so that a person starts the next one.',
  description: '`progressionId` is the id of the milestone, which then lasts until somebody starts the next one.',
  permission: 'UPDATE_FEATURE_STRATEGY',
  responses: { 200: releasePlan },
  etag: true,
}).handle(({ request, caller, params }) =>
  changeFeature(
    request,
    caller,
    lib.planRemoveProgression(request, { ...params, sourceMilestone: params.progressionId }),
  ),
);

export const removeReleasePlan = flagChange({
  route:
    'DELETE /api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/release-plans/{planId}',
  summary: 'Removes the release plan of a feature in an environment, with the strategies of its milestones.',
  description: 'If no enabled strategy is left, the feature is disabled there.',
  permission: 'DELETE_FEATURE_STRATEGY',
  responses: { 204: null },
  etag: true,
}).handle(({ request, caller, params }) => changeFeature(request, caller, lib.planRemovePlan(request, params)));

export const resumeMilestoneProgressions = flagChange({
  route:
    'POST /api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/progressions/{progressionId}/resume',
  summary: 'Resumes a paused release plan.',
  description:
    '`progressionId` is the id of the plan. The active milestone keeps the rest of its time, at least a minute.',
  permission: 'UPDATE_FEATURE_STRATEGY',
  responses: { 200: releasePlan },
  etag: true,
}).handle(({ request, caller, params }) =>
  changeFeature(request, caller, lib.planResumePlan(request, { ...params, planId: params.progressionId })),
);

export const setMilestoneProgression = flagChange({
  route:
    'PUT /api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/progressions/{progressionId}',
  summary: 'Sets the time after which a milestone of a release plan gives way to the next one by itself.',
  description:
    '`progressionId` is the id of the milestone; the target must be the milestone after it. The clock runs while the feature is enabled and the plan is not paused. The reply is 400 if the active milestone has lasted that long already.',
  permission: 'UPDATE_FEATURE_STRATEGY',
  body: progressionInput,
  responses: { 200: releasePlan },
  etag: true,
}).handle(({ request, caller, params, body }) =>
  changeFeature(
    request,
    caller,
    lib.planSetProgression(request, { ...params, sourceMilestone: params.progressionId }, body),
  ),
);

export const startReleasePlanMilestone = flagChange({
  route:
    'POST /api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/release-plans/{planId}/milestones/{milestoneId}/start',
  summary: 'Makes a milestone of a release plan the active one: a later one, or an earlier one to go back.',
  description:
    'SDKs get its strategies instead of those of the milestone before. The active milestone does not start again. In a protected environment, going back to a milestone that was active before needs no approval.',
  permission: 'UPDATE_FEATURE_STRATEGY',
  responses: { 200: releasePlan },
  etag: true,
}).handle(({ request, caller, params }) => changeFeature(request, caller, lib.planStartMilestone(request, params)));

export const updateReleasePlanStrategy = flagChange({
  route:
    'PUT /api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/milestone-strategies/{strategyId}',
  summary: 'Changes a strategy of a milestone of a release plan.',
  description: 'Omitted properties stay as they are. For the active milestone, SDKs get the change at once.',
  permission: 'UPDATE_FEATURE_STRATEGY',
  body: strategyUpdate,
  responses: { 200: milestoneStrategy },
  etag: true,
}).handle(
  ({ request, caller, params, body }) =>
    changeFeature(request, caller, lib.planUpdateMilestoneStrategy(request, params, body)),
  (plan, { params }) => ({
    body: requireStrategy(
      plan.milestones.flatMap(({ strategies }) => strategies),
      params.strategyId,
    ),
  }),
);
