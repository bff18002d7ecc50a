import * as v from 'valibot';
import { setDefaultStrategy } from '../../lib/features/strategies/default-strategy.ts';
import { defaultStrategyInput } from '../../lib/features/strategies/strategy-input-schema.ts';
import { defaultStrategy } from '../../lib/features/strategies/strategy-schema.ts';
import { endpointsOf } from '../../lib/http/endpoint.ts';
import { changeRequestConfigOf, configureChangeRequests } from '../../lib/projects/change-request-config.ts';
import { changeRequestConfig, environmentChangeRequests } from '../../lib/projects/project-schema.ts';
import { loadProject } from '../../lib/projects/projects.ts';
import { addEnvironment } from '../../lib/provisioning/add-environment.ts';
import { removeEnvironment } from '../../lib/provisioning/remove-environment.ts';
import { boolean, object, text } from '../../lib/values/primitives.ts';

const endpoint = endpointsOf('Projects');

export const addDefaultStrategyToProjectEnvironment = endpoint({
  route: 'POST /api/admin/projects/{projectId}/environments/{environment}/default-strategy',
  summary:
    'Sets the default strategy of a project in an environment, or in all of them (*). A feature that is enabled without a strategy receives it.',
  description:
    'It must be a `flexibleRollout`. Features that have strategies are unchanged. It is a 403 where changes in the environment need approval.',
  permission: ['UPDATE_PROJECT', 'PROJECT_DEFAULT_STRATEGY_WRITE'],
  body: defaultStrategyInput,
  responses: { 200: defaultStrategy },
  etag: true,
}).handle(
  ({ request, caller, params, body }) => setDefaultStrategy(request, caller, params, body),
  (_, { body }) => ({ body }),
);

export const addEnvironmentToProject = endpoint({
  route: 'POST /api/admin/projects/{projectId}/environments',
  summary: 'Adds an environment to a project.',
  description:
    'Its features are off there. One that the project had before has its strategies and variants back. An environment that the project has already is a 409.',
  permission: 'UPDATE_PROJECT',
  body: object({
    environment: text,
    changeRequestsEnabled: v.exactOptional(boolean),
    defaultStrategy: v.exactOptional(defaultStrategyInput),
  }),
  responses: { 200: null },
  etag: true,
  errors: [409],
}).handle(({ request, caller, params, body }) => addEnvironment(request, caller, params.projectId, body));

export const getProjectChangeRequestConfig = endpoint({
  route: 'GET /api/admin/projects/{projectId}/change-requests/config',
  summary: 'Lists the environments of a project, with the approval that changes need in each.',
  description:
    'Each has `changeRequestsEnabled` and `requiredApprovals`. `PUT …/environments/{environment}/change-requests/config` changes them.',
  responses: { 200: v.array(environmentChangeRequests) },
}).handle(async ({ request, params }) => changeRequestConfigOf(await loadProject(request, params.projectId)));

export const removeEnvironmentFromProject = endpoint({
  route: 'DELETE /api/admin/projects/{projectId}/environments/{environment}',
  summary:
    'Removes an environment from a project. Its features are off there, also when the environment is added again.',
  description: 'SDKs get none of these features there. It is a 403 where changes in the environment need approval.',
  permission: 'UPDATE_PROJECT',
  responses: { 200: null },
  etag: true,
}).handle(({ request, caller, params }) => removeEnvironment(request, caller, params));

export const updateProjectChangeRequestConfig = endpoint({
  route: 'PUT /api/admin/projects/{projectId}/environments/{environment}/change-requests/config',
  summary: 'Makes changes of what SDKs get in an environment of a project need approval, or none.',
  description:
    '`requiredApprovals` says by how many others. From then on a direct change is a 403 without `SKIP_CHANGE_REQUEST`. ' +
    'Admins may approve them, and people with the project role *Approver*; an Editor cannot, nor an Owner or a Member of the ' +
    'project. A `warning` header says so where only Admins could approve.',
  permission: ['UPDATE_PROJECT', 'PROJECT_CHANGE_REQUEST_WRITE'],
  body: changeRequestConfig,
  responses: { 204: null },
  etag: true,
}).handle(({ request, caller, params, body }) => configureChangeRequests(request, caller, params, body));
