import * as v from 'valibot';
import {
  contextField,
  contextFieldInput,
  contextFieldInputAnywhere,
  contextFieldName,
  contextFieldUpdate,
  contextFieldUpdateAnywhere,
  legalValueInput,
  listedContextField,
} from '../../lib/context-fields/context-field-schema.ts';
import * as lib from '../../lib/context-fields/context-fields.ts';
import { placedStrategy } from '../../lib/features/strategies/strategy-schema.ts';
import * as uses from '../../lib/features/uses/context-field-uses.ts';
import { awaitInOrder } from '../../lib/helpers/await-in-order.ts';
import { endpointsOf } from '../../lib/http/endpoint.ts';
import { loadProject } from '../../lib/projects/projects.ts';
import { object, text } from '../../lib/values/primitives.ts';

const endpoint = endpointsOf('Context');

export const createContextField = endpoint({
  route: 'POST /api/admin/context',
  summary: 'Creates a context field for constraints and stickiness, for all projects or for one.',
  description:
    'Constraints may also use names without a context field. A field adds legal values, a description and stickiness. The reply is 409 if the name is in use, in any project.',
  permission: 'CREATE_CONTEXT_FIELD',
  body: contextFieldInputAnywhere,
  responses: { 201: contextField },
  etag: true,
  errors: [404, 409],
}).handle(
  ({ request, caller, body }) => lib.createContextField(request, caller, body, body.project ?? undefined),
  ({ name }) => ({ headers: { location: `/api/admin/context/${name}` } }),
);

export const createContextFieldForProject = endpoint({
  route: 'POST /api/admin/projects/{projectId}/context',
  summary: 'Creates a context field of a project. Its name must be unique across projects.',
  description:
    'Constraints may also use names without a context field. A field adds legal values, a description and stickiness. The reply is 409 if the name is in use.',
  permission: ['CREATE_CONTEXT_FIELD', 'UPDATE_PROJECT_CONTEXT'],
  body: contextFieldInput,
  responses: { 201: contextField },
  etag: true,
  errors: [409],
}).handle(
  ({ request, caller, params, body }) => lib.createContextField(request, caller, body, params.projectId),
  ({ name }, { params }) => ({ headers: { location: `/api/admin/projects/${params.projectId}/context/${name}` } }),
);

export const deleteContextField = endpoint({
  route: 'DELETE /api/admin/context/{contextField}',
  summary: 'Deletes a context field, unless a segment or a strategy of a live feature uses it.',
  description: 'If it is used, the reply is 409 and names the users.',
  permission: 'DELETE_CONTEXT_FIELD',
  responses: { 200: null },
  etag: 'checked',
  errors: [404, 409],
}).handle(({ request, caller, params }) => uses.removeContextField(request, caller, params));

export const deleteContextFieldForProject = endpoint({
  route: 'DELETE /api/admin/projects/{projectId}/context/{contextField}',
  summary: 'Deletes a context field of a project, unless a segment or a strategy of a live feature uses it.',
  description:
    'If it is used, the reply is 409 and names the users. The reply is 404 for a field of the whole service.',
  permission: ['DELETE_CONTEXT_FIELD', 'UPDATE_PROJECT_CONTEXT'],
  responses: { 200: null },
  etag: 'checked',
  errors: [409],
}).handle(({ request, caller, params }) => uses.removeContextField(request, caller, params));

export const deleteContextFieldLegalValue = endpoint({
  route: 'DELETE /api/admin/context/{contextField}/legal-values/{legalValue}',
  summary: 'Removes a legal value from a context field. Strategies that use the value keep it.',
  description: 'A value that does not exist is no error. Special characters of the value must be escaped in the path.',
  permission: 'UPDATE_CONTEXT_FIELD',
  freeText: ['legalValue'],
  responses: { 200: null },
  etag: true,
}).handle(
  ({ request, caller, params }) => lib.removeLegalValue(request, caller, params),
  () => ({}),
);

export const deleteContextFieldLegalValueForProject = endpoint({
  route: 'DELETE /api/admin/projects/{projectId}/context/{contextField}/legal-values/{legalValue}',
  summary: 'Removes a legal value from a context field of a project. Strategies that use the value keep it.',
  description: 'A value that does not exist is no error. The reply is 404 for a field of the whole service.',
  permission: ['UPDATE_CONTEXT_FIELD', 'UPDATE_PROJECT_CONTEXT'],
  freeText: ['legalValue'],
  responses: { 200: null },
  etag: true,
}).handle(
  ({ request, caller, params }) => lib.removeLegalValue(request, caller, params),
  () => ({}),
);

export const getContextField = endpoint({
  route: 'GET /api/admin/context/{contextField}',
  summary: 'Returns a context field.',
  description:
    'If it has legal values, constraints accept no others. `stickiness` says whether rollouts can be sticky on the field.',
  responses: { 200: contextField },
  etag: true,
}).handle(({ request, params }) => lib.loadContextField(request, params));

export const getContextFieldForProject = endpoint({
  route: 'GET /api/admin/projects/{projectId}/context/{contextField}',
  summary: 'Returns a context field of a project, or of the whole service.',
  description: 'If it has legal values, constraints accept no others.',
  responses: { 200: contextField },
  etag: true,
}).handle(async ({ request, params }) => {
  const [, field] = await awaitInOrder([loadProject(request, params.projectId), lib.loadContextField(request, params)]);
  return field;
});

export const getContextFields = endpoint({
  route: 'GET /api/admin/context',
  summary: 'Lists the context fields of the whole service, and with `include=project` also those of projects.',
  description: 'Each has the numbers of features and projects that use it.',
  query: object({ include: v.exactOptional(text) }),
  responses: { 200: v.array(listedContextField) },
}).handle(({ request, query }) => {
  const includesProjects = query.include?.toLowerCase() === 'project';
  return uses.addUsage(
    request,
    lib.listContextFields(request, (project) => includesProjects || project === undefined),
  );
});

export const getContextFieldsForProject = endpoint({
  route: 'GET /api/admin/projects/{projectId}/context',
  summary: 'Lists the context fields of a project, and with `include=root` also those of the whole service.',
  description: 'Each has the numbers of features and projects that use it.',
  query: object({ include: v.exactOptional(text) }),
  responses: { 200: v.array(listedContextField) },
}).handle(async ({ request, params: { projectId }, query }) => {
  const isRoot = query.include?.toLowerCase() === 'root';
  const listed = lib.listContextFields(
    request,
    (project) => project === projectId || (isRoot && project === undefined),
  );
  const [fields] = await Promise.all([uses.addUsage(request, listed), loadProject(request, projectId)]);
  return fields;
});

export const getStrategiesByContextField = endpoint({
  route: 'GET /api/admin/context/{contextField}/strategies',
  summary: 'Lists the strategies of live features that use a context field.',
  description: 'A strategy uses a field if it has a constraint on it. The list is empty for an unknown field.',
  responses: { 200: object({ strategies: v.array(placedStrategy) }) },
  errors: [],
}).handle(async ({ request, params }) => ({
  strategies: await uses.listStrategiesComparing(request, params.contextField),
}));

export const getStrategiesByContextFieldForProject = endpoint({
  route: 'GET /api/admin/projects/{projectId}/context/{contextField}/strategies',
  summary: 'Lists the strategies of live features, in any project, that use a context field.',
  description: 'A strategy uses a field if it has a constraint on it. The list is empty for an unknown field.',
  responses: { 200: object({ strategies: v.array(placedStrategy) }) },
}).handle(async ({ request, params: { projectId, contextField } }) => {
  const [, strategies] = await awaitInOrder([
    loadProject(request, projectId),
    uses.listStrategiesComparing(request, contextField),
  ]);
  return { strategies };
});

export const updateContextField = endpoint({
  route: 'PUT /api/admin/context/{contextField}',
  summary:
    'Updates a context field: its description, legal values, stickiness, sort order and project. Omitted legal values and stickiness are cleared.',
  description: 'Strategies keep values that are no longer legal. The name cannot be changed.',
  permission: 'UPDATE_CONTEXT_FIELD',
  body: contextFieldUpdateAnywhere,
  responses: { 200: null },
  etag: true,
}).handle(
  ({ request, caller, params, body }) => lib.updateContextField(request, caller, params, body),
  () => ({}),
);

export const updateContextFieldForProject = endpoint({
  route: 'PUT /api/admin/projects/{projectId}/context/{contextField}',
  summary: 'Updates a context field of a project. Omitted legal values and stickiness are cleared.',
  description: 'Strategies keep values that are no longer legal. The reply is 404 for a field of the whole service.',
  permission: ['UPDATE_CONTEXT_FIELD', 'UPDATE_PROJECT_CONTEXT'],
  body: contextFieldUpdate,
  responses: { 200: null },
  etag: true,
}).handle(
  ({ request, caller, params, body }) => lib.updateContextField(request, caller, params, body),
  () => ({}),
);

export const updateContextFieldLegalValue = endpoint({
  route: 'POST /api/admin/context/{contextField}/legal-values',
  summary: 'Adds a legal value to a context field, or replaces its description.',
  description: 'A new value comes last. If a field has legal values, constraints accept no others.',
  permission: 'UPDATE_CONTEXT_FIELD',
  body: legalValueInput,
  responses: { 200: null },
  etag: true,
}).handle(
  ({ request, caller, params, body }) => lib.setLegalValue(request, caller, params, body),
  () => ({}),
);

export const updateContextFieldLegalValueForProject = endpoint({
  route: 'POST /api/admin/projects/{projectId}/context/{contextField}/legal-values',
  summary: 'Adds a legal value to a context field of a project, or replaces its description.',
  description: 'A new value comes last. The reply is 404 for a field of the whole service.',
  permission: ['UPDATE_CONTEXT_FIELD', 'UPDATE_PROJECT_CONTEXT'],
  body: legalValueInput,
  responses: { 200: null },
  etag: true,
}).handle(
  ({ request, caller, params, body }) => lib.setLegalValue(request, caller, params, body),
  () => ({}),
);

export const validateContextFieldName = endpoint({
  route: 'POST /api/admin/context/validate',
  summary: 'Checks whether a context field can have a name.',
  description: 'The reply is 409 if the name is in use, and 400 if it breaks a rule. Nothing is created.',
  permission: ['CREATE_CONTEXT_FIELD', 'UPDATE_CONTEXT_FIELD'],
  rights: 'read',
  body: contextFieldName,
  responses: { 200: null },
  errors: [409],
}).handle(({ request, body }) => lib.contextFields.requireFreeName(request, body.name));

export const validateContextFieldNameForProject = endpoint({
  route: 'POST /api/admin/projects/{projectId}/context/validate',
  summary: 'Checks whether a context field of a project can have a name.',
  description:
    'The reply is 409 if the name is in use in any project, and 400 if it breaks a rule. Nothing is created.',
  permission: ['CREATE_CONTEXT_FIELD', 'UPDATE_CONTEXT_FIELD', 'UPDATE_PROJECT_CONTEXT'],
  rights: 'read',
  body: contextFieldName,
  responses: { 200: null },
  errors: [409],
}).handle(async ({ request, params, body }) => {
  await awaitInOrder([loadProject(request, params.projectId), lib.contextFields.requireFreeName(request, body.name)]);
});
