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
    'Sets the default strategy of a project in an environment, or in all environments (`*`). A feature that is enabled without a strategy gets it.',
  description:
    'It must be a `flexibleRollout`. Features that have strategies do not change. The reply is 403 if changes in the environment need approval.',
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
    'The features are disabled there. An environment that the project had before gets its strategies and variants back. The reply is 409 if the project already has the environment.',
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
  summary: 'Lists the environments of a project, with the approvals that changes need in each.',
  description:
    'Each has `changeRequestsEnabled` and `requiredApprovals`, which `PUT …/environments/{environment}/change-requests/config` changes.',
  responses: { 200: v.array(environmentChangeRequests) },
}).handle(async ({ request, params }) => changeRequestConfigOf(await loadProject(request, params.projectId)));

export const removeEnvironmentFromProject = endpoint({
  route: 'DELETE /api/admin/projects/{projectId}/environments/{environment}',
  summary:
    'Removes an environment from a project. Its features are disabled there, even if the environment is added again.',
  description:
    'SDKs no longer get features of the project in this environment. The reply is 403 if changes in the environment need approval.',
  permission: 'UPDATE_PROJECT',
  responses: { 200: null },
  etag: true,
}).handle(({ request, caller, params }) => removeEnvironment(request, caller, params));

export const updateProjectChangeRequestConfig = endpoint({
  route: 'PUT /api/admin/projects/{projectId}/environments/{environment}/change-requests/config',
  summary: 'Sets whether changes in an environment of a project need approval.',
  description:
    '`requiredApprovals` is the number of other users who have to approve. A direct change then gets a 403 without `SKIP_CHANGE_REQUEST`. Admins and users with the project role *Approver* can approve, but not Editors, or Owners and Members of the project. If only Admins could approve, or fewer people than are needed, the reply has a `warning` header.',
  permission: ['UPDATE_PROJECT', 'PROJECT_CHANGE_REQUEST_WRITE'],
  body: changeRequestConfig,
  responses: { 204: null },
  etag: true,
}).handle(({ request, caller, params, body }) => configureChangeRequests(request, caller, params, body));
