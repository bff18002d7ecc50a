import * as v from 'valibot';
import { endpointsOf } from '../../lib/http/endpoint.ts';
import { listProjects } from '../../lib/insights/projects/project-overview.ts';
import {
  createdProject,
  listedProject,
  projectId,
  projectInput,
  projectSettings,
  projectUpdate,
} from '../../lib/projects/project-schema.ts';
import { assertNewProjectId } from '../../lib/projects/projects.ts';
import * as updating from '../../lib/projects/update-project.ts';
import * as archive from '../../lib/provisioning/archive-project.ts';
import * as creation from '../../lib/provisioning/create-project.ts';
import * as deletion from '../../lib/provisioning/delete-project.ts';
import { object } from '../../lib/values/primitives.ts';

const endpoint = endpointsOf('Projects');

export const archiveProject = endpoint({
  route: 'POST /api/admin/projects/archive/{projectId}',
  summary: 'Archives a project whose features are all archived.',
  description:
    'It accepts no new features until it is revived. The reply is 409, and names the live features, if there are any.',
  permission: 'DELETE_PROJECT',
  responses: { 200: null },
  etag: true,
  errors: [409],
}).handle(({ request, caller, params }) => archive.archiveProject(request, caller, params.projectId));

export const createProject = endpoint({
  route: 'POST /api/admin/projects',
  summary: 'Creates a project with the given environments, or with all enabled ones.',
  description:
    'The caller becomes an owner. Without an `id`, one is derived from the name. The reply is 409 if the id is in use, and 404, with all names, if environments are unknown.',
  permission: 'CREATE_PROJECT',
  body: projectInput,
  responses: { 201: createdProject },
  etag: true,
  errors: [404, 409],
}).handle(
  ({ request, caller, body }) => creation.createProject(request, caller, body),
  (project) => ({
    body: creation.toCreatedView(project),
    headers: { location: `/api/admin/projects/${encodeURIComponent(project.id)}` },
  }),
);

export const deleteProject = endpoint({
  route: 'DELETE /api/admin/projects/{projectId}',
  summary: 'Deletes a project whose features are all archived, and everything that belongs to it.',
  description:
    'This deletes its archived features, segments and context fields, and removes it from tokens, roles and groups. It cannot be undone. The reply is 409, and names the live features, if there are any. The project `default` cannot be deleted.',
  permission: 'DELETE_PROJECT',
  responses: { 200: null },
  etag: 'checked',
  errors: [409],
}).handle(({ request, caller, params }) => deletion.deleteProject(request, caller, params.projectId));

export const getProjects = endpoint({
  route: 'GET /api/admin/projects',
  summary:
    'Lists all projects with their numbers of features and members, or with `archived=true` the archived projects.',
  description: 'Private projects are listed only for their members and Admins. `favorite` applies to the caller.',
  // Favorites depend on the caller.
  permission: 'NONE',
  query: object({ archived: v.exactOptional(v.picklist(['true', 'false'])) }),
  responses: { 200: object({ version: v.literal(1), projects: v.array(listedProject) }) },
}).handle(async ({ request, caller, query }) => ({
  version: 1,
  projects: await listProjects(request, caller, { archived: query.archived === 'true' }),
}));

export const reviveProject = endpoint({
  route: 'POST /api/admin/projects/revive/{projectId}',
  summary: 'Revives an archived project. Its features stay archived.',
  description: 'A project that is not archived does not change.',
  permission: 'UPDATE_PROJECT',
  responses: { 200: null },
  etag: true,
}).handle(({ request, caller, params }) => archive.reviveProject(request, caller, params.projectId));

export const updateProject = endpoint({
  route: 'PUT /api/admin/projects/{projectId}',
  summary: 'Updates the name, description and defaults of a project. Omitted fields keep their values.',
  description: 'The id cannot be changed. `featureLimit` is the maximum number of live features; null means no limit.',
  permission: 'UPDATE_PROJECT',
  body: projectUpdate,
  responses: { 200: null },
  etag: true,
}).handle(
  ({ request, caller, params, body }) => updating.updateProject(request, caller, params.projectId, body),
  () => ({}),
);

export const updateProjectEnterpriseSettings = endpoint({
  route: 'PUT /api/admin/projects/{projectId}/settings',
  summary:
    'Updates the naming pattern and the link templates for new features of a project. Omitted fields keep their values.',
  description:
    'The pattern is a regular expression for the names of new features. Existing features keep their names. New features get a link from each template.',
  permission: ['UPDATE_PROJECT', 'PROJECT_SETTINGS_WRITE'],
  body: projectSettings,
  responses: { 200: null },
  etag: true,
}).handle(
  ({ request, caller, params, body }) => updating.updateProjectSettings(request, caller, params.projectId, body),
  () => ({}),
);

export const validateProject = endpoint({
  route: 'POST /api/admin/projects/validate',
  summary: 'Checks whether a project can have an id.',
  description: 'The reply is 400 if the id is in use or breaks a rule. Nothing is created.',
  permission: 'CREATE_PROJECT',
  rights: 'read',
  body: object({ id: projectId }),
  responses: { 200: null },
}).handle(({ request, body }) => assertNewProjectId(request, body.id));
