import * as v from 'valibot';
import {
  environment,
  environmentClone,
  environmentInput,
  environmentName,
  environmentOfProject,
  environmentOrder,
  environmentUpdate,
  listedEnvironment,
} from '../../lib/environments/environment-schema.ts';
import { environments, environmentView } from '../../lib/environments/environments.ts';
import { endpointsOf } from '../../lib/http/endpoint.ts';
import { listEnvironmentsOfProject, listEnvironmentsWithCounts } from '../../lib/insights/projects/environment-list.ts';
import * as changes from '../../lib/provisioning/change-environments.ts';
import * as cloning from '../../lib/provisioning/clone-environment.ts';
import { deleteEnvironment } from '../../lib/provisioning/delete-environment.ts';
import { object } from '../../lib/values/primitives.ts';

const endpoint = endpointsOf('Environments');

export const cloneEnvironment = endpoint({
  route: 'POST /api/admin/environments/{name}/clone',
  summary:
    'Clones an environment, with the configuration of the features in the given projects, or in all projects that have it.',
  description:
    'It copies strategies, variants, states and default strategies, but no tokens. The copy becomes visible when it is complete. The reply is 409 if the name is in use, and 404 if a project does not have the environment.',
  permission: 'ADMIN',
  body: environmentClone,
  responses: { 201: environment },
  etag: true,
  errors: [404, 409],
}).handle(
  ({ request, caller, params, body }) => cloning.cloneEnvironment(request, caller, params.name, body),
  (created) => ({
    body: environmentView(created),
    headers: { location: `/api/admin/environments/${encodeURIComponent(created.name)}` },
  }),
);

export const createEnvironment = endpoint({
  route: 'POST /api/admin/environments',
  summary: 'Creates an environment. No project has it yet.',
  description:
    'It is enabled and comes last unless the body says otherwise. `POST /api/admin/projects/{projectId}/environments` adds it to a project. The reply is 409 if the name is in use.',
  permission: 'ADMIN',
  body: environmentInput,
  responses: { 201: environment },
  etag: true,
  errors: [409],
}).handle(
  ({ request, caller, body }) => changes.createEnvironment(request, caller, body),
  (created) => ({
    body: environmentView(created),
    headers: { location: `/api/admin/environments/${encodeURIComponent(created.name)}` },
  }),
);

export const getAllEnvironments = endpoint({
  route: 'GET /api/admin/environments',
  summary: 'Lists all environments.',
  description:
    'Each has its type, order and state, and the numbers of its projects, tokens and enabled features. Things that the caller may not see are not counted.',
  responses: { 200: object({ version: v.literal(1), environments: v.array(listedEnvironment) }) },
}).handle(async ({ request }) => ({ version: 1, environments: await listEnvironmentsWithCounts(request) }));

export const getEnvironment = endpoint({
  route: 'GET /api/admin/environments/{name}',
  summary: 'Returns an environment.',
  description: 'A `protected` environment cannot be updated or deleted. `GET /api/admin/environments` has counts.',
  responses: { 200: environment },
  etag: true,
}).handle(
  ({ request, params }) => environments.load(request, params.name),
  (environment) => ({ body: environmentView(environment) }),
);

export const getProjectEnvironments = endpoint({
  route: 'GET /api/admin/environments/project/{projectId}',
  summary: 'Lists all environments, and marks those of a project.',
  description: '`visible` says whether the project has the environment. The counts are those of the project.',
  responses: { 200: object({ version: v.literal(1), environments: v.array(environmentOfProject) }) },
}).handle(async ({ request, params }) => ({
  version: 1,
  environments: await listEnvironmentsOfProject(request, params.projectId),
}));

export const removeEnvironment = endpoint({
  route: 'DELETE /api/admin/environments/{name}',
  summary: 'Deletes an environment that is not protected, with its tokens and the configuration of features in it.',
  description:
    'SDKs with a token of the environment get a 401. The reply is 403 if a project requires approval for changes in the environment.',
  permission: 'ADMIN',
  responses: { 200: null },
  etag: 'checked',
}).handle(({ request, caller, params }) => deleteEnvironment(request, caller, params.name));

export const toggleEnvironmentOff = endpoint({
  route: 'POST /api/admin/environments/{name}/off',
  summary:
    'Disables an environment, so that new projects do not get it. Projects that have it keep it, and features in it do not change.',
  description: 'SDKs still get the flags of the environment.',
  permission: 'ADMIN',
  responses: { 204: null },
  etag: true,
}).handle(
  ({ request, caller, params }) =>
    environments.update(request, caller, params.name, (before) => ({ ...before, enabled: false })),
  () => ({}),
);

export const toggleEnvironmentOn = endpoint({
  route: 'POST /api/admin/environments/{name}/on',
  summary: 'Enables an environment.',
  description: 'New projects get it, unless they name their environments.',
  permission: 'ADMIN',
  responses: { 204: null },
  etag: true,
}).handle(
  ({ request, caller, params }) =>
    environments.update(request, caller, params.name, (before) => ({ ...before, enabled: true })),
  () => ({}),
);

export const updateEnvironment = endpoint({
  route: 'PUT /api/admin/environments/update/{name}',
  summary: 'Updates the type and the sort order of an environment that is not protected.',
  description: 'The name cannot be changed, but a clone can have another name.',
  permission: 'ADMIN',
  body: environmentUpdate,
  responses: { 200: environment },
  etag: true,
}).handle(
  ({ request, caller, params, body }) => changes.updateEnvironment(request, caller, params.name, body),
  (updated) => ({ body: environmentView(updated) }),
);

export const updateSortOrder = endpoint({
  route: 'PUT /api/admin/environments/sort-order',
  summary: 'Reorders environments. Environments that are not named keep their positions.',
  description:
    'The body has positions by name. The reply is 404, with all unknown names, if there are any, and nothing is changed.',
  permission: 'ADMIN',
  body: environmentOrder,
  responses: { 200: null },
  errors: [404],
}).handle(({ request, caller, body }) => changes.orderEnvironments(request, caller, body));

export const validateEnvironmentName = endpoint({
  route: 'POST /api/admin/environments/validate',
  summary: 'Checks whether an environment can have a name.',
  description: 'The reply is 409 if the name is in use, and 400 if it breaks a rule. Nothing is created.',
  permission: 'ADMIN',
  rights: 'read',
  body: object({ name: environmentName }),
  responses: { 200: null },
  errors: [409],
}).handle(({ request, body }) => environments.requireFreeName(request, body.name));
