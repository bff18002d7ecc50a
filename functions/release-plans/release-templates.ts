import * as v from 'valibot';
import { endpointsOf } from '../../lib/http/endpoint.ts';
import { loadProject } from '../../lib/projects/projects.ts';
import * as lib from '../../lib/release-plans/administer-templates.ts';
import * as milestones from '../../lib/release-plans/change-milestones.ts';
import {
  milestoneInput,
  milestoneStrategyInput,
  newMilestoneInput,
  releaseTemplateInput,
} from '../../lib/release-plans/template-input-schema.ts';
import {
  listedReleaseTemplate,
  milestoneStrategy,
  projectTemplatesQuery,
  releaseMilestone,
  releaseTemplate,
  templatesQuery,
} from '../../lib/release-plans/template-schema.ts';
import {
  listReleaseTemplates,
  releaseTemplates,
  viewReleaseTemplate,
  viewTemplateInList,
} from '../../lib/release-plans/templates.ts';

const endpoint = endpointsOf('Release plan templates');

/** The permission to change a template. For one of a project, UPDATE_PROJECT in that project is enough. */
const update = { permission: ['RELEASE_PLAN_TEMPLATE_UPDATE', 'UPDATE_PROJECT'], permissionBy: 'store' } as const;

/** The permission to remove a template. For one of a project, UPDATE_PROJECT in that project is enough. */
const removal = { permission: ['RELEASE_PLAN_TEMPLATE_DELETE', 'UPDATE_PROJECT'], permissionBy: 'store' } as const;

export const addMilestoneToReleaseTemplate = endpoint({
  route: 'POST /api/admin/release-plan-templates/{templateId}/milestones',
  summary: 'Adds a milestone to a template of release plans.',
  description:
    'It is added at its `sortOrder`, or without one as the last milestone. Its transition can only be added later, with an update.',
  ...update,
  body: newMilestoneInput,
  responses: { 201: releaseMilestone },
  etag: true,
}).handle(({ request, caller, params, body }) => milestones.addMilestone(request, caller, params.templateId, body));

export const addStrategyToMilestone = endpoint({
  route: 'POST /api/admin/release-plan-templates/{templateId}/milestones/{milestoneId}/strategies',
  summary: 'Adds a strategy to a milestone of a template of release plans.',
  description: 'It is added at its `sortOrder`, or without one as the last strategy. The reply is the milestone.',
  ...update,
  body: milestoneStrategyInput,
  responses: { 201: releaseMilestone },
  etag: true,
}).handle(({ request, caller, params, body }) => milestones.addMilestoneStrategy(request, caller, params, body));

export const archiveReleasePlanTemplate = endpoint({
  route: 'POST /api/admin/release-plan-templates/archive/{templateId}',
  summary: 'Archives a template of release plans, so that lists leave it out.',
  description: 'Its name stays in use. It can still be read, updated, revived and deleted.',
  ...removal,
  responses: { 200: releaseTemplate },
  etag: true,
}).handle(
  ({ request, caller, params }) => lib.archiveReleaseTemplate(request, caller, params.templateId),
  (archived) => ({ body: viewReleaseTemplate(archived) }),
);

export const createReleasePlanTemplate = endpoint({
  route: 'POST /api/admin/release-plan-templates',
  summary: 'Creates a template of release plans: milestones with the strategies of each.',
  description:
    'With `project`, it belongs to that project. A milestone with a `transitionCondition` gives way to the next one after that time; the last one can have none. In `groupId`, `{{featureName}}` stands for the name of the feature. The reply is 409 if the name is in use, and 400 with everything that is wrong.',
  permission: ['RELEASE_PLAN_TEMPLATE_CREATE', 'UPDATE_PROJECT'],
  permissionBy: 'body',
  body: releaseTemplateInput,
  responses: { 201: releaseTemplate },
  etag: true,
  errors: [404, 409],
})
  // The permission for all templates, or that for the project of the template.
  .needs(({ body }) => [
    { permission: ['RELEASE_PLAN_TEMPLATE_CREATE', 'UPDATE_PROJECT'], project: body.project ?? undefined },
  ])
  .handle(
    ({ request, caller, body }) => lib.createReleaseTemplate(request, caller, body),
    (created) => ({
      body: viewReleaseTemplate(created),
      headers: { location: `/api/admin/release-plan-templates/${created.id}` },
    }),
  );

export const deleteReleasePlanTemplate = endpoint({
  route: 'DELETE /api/admin/release-plan-templates/{templateId}',
  summary: 'Deletes a template of release plans.',
  description:
    'Segments, context fields and strategy types that only it uses can then be deleted, too. The reply is 409 while live features have a plan from it; archive it instead.',
  ...removal,
  responses: { 204: null },
  etag: 'checked',
  errors: [404, 409],
}).handle(({ request, caller, params }) => lib.removeReleaseTemplate(request, caller, params.templateId));

export const getProjectReleaseTemplates = endpoint({
  route: 'GET /api/admin/projects/{projectId}/release-templates',
  summary: 'Lists the templates of release plans that belong to a project.',
  description:
    'With `include=root`, it also lists the templates that every project can use. They are sorted by name, without their milestones. `archived=true` lists the archived ones alone; otherwise, they are left out.',
  query: projectTemplatesQuery,
  responses: { 200: v.array(listedReleaseTemplate) },
}).handle(async ({ request, params: { projectId }, query: { include, archived } }) => {
  const projects = include === 'root' ? [projectId, null] : [projectId];
  const [, templates] = await Promise.all([
    loadProject(request, projectId),
    listReleaseTemplates(request, projects, archived === 'true'),
  ]);
  return templates.map(viewTemplateInList);
});

export const getReleasePlanTemplate = endpoint({
  route: 'GET /api/admin/release-plan-templates/{templateId}',
  summary: 'Returns a template of release plans, with its milestones and their strategies.',
  description: 'It also returns an archived one, which has a time in `archivedAt`.',
  responses: { 200: releaseTemplate },
  etag: true,
}).handle(
  ({ request, params }) => releaseTemplates.load(request, params.templateId),
  (loaded) => ({ body: viewReleaseTemplate(loaded) }),
);

export const getReleasePlanTemplates = endpoint({
  route: 'GET /api/admin/release-plan-templates',
  summary: 'Lists the templates of release plans that every project can use.',
  description:
    'They are sorted by name, without their milestones. `archived=true` lists the archived ones alone; otherwise, they are left out. `GET …/projects/{projectId}/release-templates` lists those of a project.',
  query: templatesQuery,
  responses: { 200: v.array(listedReleaseTemplate) },
}).handle(async ({ request, query: { archived } }) => {
  const templates = await listReleaseTemplates(request, [null], archived === 'true');
  return templates.map(viewTemplateInList);
});

/** The name is Unleash's. */
export const remoteMilestoneStrategy = endpoint({
  route: 'DELETE /api/admin/release-plan-templates/{templateId}/milestones/{milestoneId}/strategies/{strategyId}',
  summary: 'Removes a strategy from a milestone of a template of release plans.',
  description: 'The other strategies keep their positions. The last strategy can be removed, too.',
  ...update,
  responses: { 204: null },
  etag: 'checked',
}).handle(({ request, caller, params }) => milestones.removeMilestoneStrategy(request, caller, params));

export const removeReleaseTemplateMilestone = endpoint({
  route: 'DELETE /api/admin/release-plan-templates/{templateId}/milestones/{milestoneId}',
  summary: 'Removes a milestone from a template of release plans, with its strategies.',
  description: 'If it is the last one, the milestone before it loses its transition.',
  ...update,
  responses: { 204: null },
  etag: 'checked',
}).handle(({ request, caller, params }) => milestones.removeMilestone(request, caller, params));

export const reviveReleasePlanTemplate = endpoint({
  route: 'POST /api/admin/release-plan-templates/revive/{templateId}',
  summary: 'Revives an archived template of release plans.',
  description: 'It is in the lists again. One that is not archived stays as it is.',
  ...update,
  responses: { 200: releaseTemplate },
  etag: true,
}).handle(
  ({ request, caller, params }) => lib.reviveReleaseTemplate(request, caller, params.templateId),
  (revived) => ({ body: viewReleaseTemplate(revived) }),
);

export const updateMilestoneStrategy = endpoint({
  route: 'PUT /api/admin/release-plan-templates/{templateId}/milestones/{milestoneId}/strategies/{strategyId}',
  summary: 'Replaces a strategy of a milestone of a template of release plans.',
  description: 'Without `sortOrder`, it stays where it is.',
  ...update,
  body: milestoneStrategyInput,
  responses: { 200: milestoneStrategy },
  etag: true,
}).handle(({ request, caller, params, body }) => milestones.updateMilestoneStrategy(request, caller, params, body));

export const updateReleasePlanTemplate = endpoint({
  route: 'PUT /api/admin/release-plan-templates/{templateId}',
  summary: 'Replaces a template of release plans.',
  description:
    'Milestones and strategies keep their ids if they are sent with them; others get new ones. Without `project`, it stays where it is. If it moves to another project, the permission is needed there, too.',
  ...update,
  body: releaseTemplateInput,
  responses: { 200: releaseTemplate },
  etag: true,
  errors: [404, 409],
}).handle(
  ({ request, caller, params, body }) => lib.updateReleaseTemplate(request, caller, params.templateId, body),
  (updated) => ({ body: viewReleaseTemplate(updated) }),
);

export const updateReleaseTemplateMilestone = endpoint({
  route: 'PUT /api/admin/release-plan-templates/{templateId}/milestones/{milestoneId}',
  summary: 'Replaces a milestone of a template of release plans, with its strategies.',
  description:
    'Strategies keep their ids if they are sent with them; others get new ones. Without `sortOrder`, it stays where it is. The last milestone can have no transition.',
  ...update,
  body: milestoneInput,
  responses: { 200: releaseMilestone },
  etag: true,
}).handle(({ request, caller, params, body }) => milestones.updateMilestone(request, caller, params, body));
